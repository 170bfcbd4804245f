// What a status says at a glance. Each tone has a colour and a shape.
export type Tone = "ok" | "ask" | "bad" | "stop" | "busy" | "idle" | "cancelled";
