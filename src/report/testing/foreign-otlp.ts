import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import protobuf from 'protobufjs'

/** OpenTelemetry's own definitions, from a package that sends OTLP. */
const definitions = join(dirname(fileURLToPath(import.meta.resolve('@platformatic/promotel'))), '../proto')

const root = new protobuf.Root()
root.resolvePath = (_, target) => join(definitions, target)
root.loadSync('opentelemetry/proto/collector/metrics/v1/metrics_service.proto')

const request = root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest')

/**
 * What a collector makes of an OTLP request in JSON: encoded into the message's binary form, and decoded again. Fields
 * missing from the definitions are lost. Throws if a value has the wrong type.
 */
export const readOtlp = (json: string): unknown => {
  const message = request.fromObject(JSON.parse(json))
  return request.toObject(request.decode(request.encode(message).finish()), { longs: String, enums: String })
}
