import { parentPort } from 'node:worker_threads'
import { judgeRecording } from './recordings.js'

parentPort?.on('message', (id: string) => {
  try {
    parentPort?.postMessage({ id, found: judgeRecording(id) })
  } catch (error) {
    parentPort?.postMessage({ id, found: [JSON.stringify(['broke', '', String(error)])] })
  }
})
