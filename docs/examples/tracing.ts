// Loaded before orch (`node --import`): an SDK of OpenTelemetry that sends the spans of orch, and no others, to where
// OTEL_EXPORTER_OTLP_ENDPOINT says. It needs four packages:
//   npm install @opentelemetry/{api@1.9,resources@2,sdk-trace-base@2,exporter-trace-otlp-http@0.223}
import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

const resource = resourceFromAttributes({ "service.name": process.env["OTEL_SERVICE_NAME"] ?? "orch" });
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
trace.setGlobalTracerProvider(new BasicTracerProvider({ resource, spanProcessors }));
