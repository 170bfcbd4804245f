// Loaded before orch (`node --import`): an SDK of OpenTelemetry that sends the spans of orch, and no others, to where
// OTEL_EXPORTER_OTLP_ENDPOINT says. It needs three packages:
//   npm install @opentelemetry/sdk-trace-base@2 @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/api@1.9
import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

const resource = resourceFromAttributes({ "service.name": process.env["OTEL_SERVICE_NAME"] ?? "orch" });
const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
trace.setGlobalTracerProvider(new BasicTracerProvider({ resource, spanProcessors }));
