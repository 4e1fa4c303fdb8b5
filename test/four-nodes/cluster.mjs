// Four processes of the reference server behind one port, each counting alone. Ends when its parent goes.
import cluster from 'node:cluster'
import { startReferenceServer } from '../../dist/reference-server/petstore-app.js'

const nodes = 4

if (cluster.isPrimary) {
  const workers = Array.from({ length: nodes }, () => cluster.fork())
  let listening = 0
  cluster.on('listening', (_worker, { port }) => {
    listening += 1
    if (listening === nodes) process.send?.(port)
  })
  process.on('disconnect', () => {
    for (const worker of workers) worker.kill()
    process.exit()
  })
} else {
  const keys = [{ plan: 'free', secret: process.env.NODE_KEY }]
  await startReferenceServer({ keys, port: 0, timeScale: Number(process.env.NODE_TIME_SCALE) })
}
