import { UsageError } from '../../kit/usage-error.js'

/** BullMQ and ioredis, which only the commands need that work with other machines. */
export interface RedisLibraries {
  readonly Queue: typeof import('bullmq').Queue
  readonly Worker: typeof import('bullmq').Worker
  readonly Redis: typeof import('ioredis').Redis
}

/** Loads the two optional libraries. Throws a {@link UsageError} that says how to install what is missing. */
export const loadRedisLibraries = async (): Promise<RedisLibraries> => {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { Queue: bullmq.Queue, Worker: bullmq.Worker, Redis: ioredis.Redis }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('work with agents needs two more packages: npm install bullmq ioredis')
  }
}
