import 'reflect-metadata'
import { Controller, Get, Module } from '@nestjs/common'
import { APP_GUARD, NestFactory } from '@nestjs/core'
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'

// What the decorators of its readme do, without TypeScript.
const decorate = (decorator, target) => decorator(target)
class AppController {
  limited() {
    return { ok: true }
  }
}
Get('limited')(AppController.prototype, 'limited', Object.getOwnPropertyDescriptor(AppController.prototype, 'limited'))
decorate(Controller(), AppController)
class AppModule {}
const limited = process.env.LIMITER !== 'off'
decorate(
  Module({
    imports: limited
      ? [
          ThrottlerModule.forRoot({
            throttlers: [{ ttl: 4_000, limit: 20 }],
            getTracker: (request) => request.headers['x-api-key'],
          }),
        ]
      : [],
    controllers: [AppController],
    providers: limited ? [{ provide: APP_GUARD, useClass: ThrottlerGuard }] : [],
  }),
  AppModule,
)
const app = await NestFactory.create(AppModule, { logger: false })
await app.listen(process.env.PORT, '127.0.0.1')
