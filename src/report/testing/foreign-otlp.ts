import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import protobuf from 'protobufjs'

/** OpenTelemetry's own definitions, as a package that sends OTLP has them. */
const definitions = join(dirname(fileURLToPath(import.meta.resolve('@platformatic/promotel'))), '../proto')

const root = new protobuf.Root()
root.resolvePath = (_, target) => join(definitions, target)
root.loadSync('opentelemetry/proto/collector/metrics/v1/metrics_service.proto')

const request = root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest')

/**
 * What a collector makes of an OTLP request in JSON: put into the message's binary form, and read from it. A field that
 * the definitions do not have is lost on the way. Throws where a value is none of its type.
 */
export const readOtlp = (json: string): unknown => {
  const message = request.fromObject(JSON.parse(json))
  return request.toObject(request.decode(request.encode(message).finish()), { longs: String, enums: String })
}
