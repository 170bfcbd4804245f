// The scene of each procedure of the library.
import { DATA_SCENES } from "./data-scenes.ts";
import { MACHINE_SCENES } from "./machine-scenes.ts";
import type { OpenScene } from "./scene.ts";
import { SERVICE_SCENES } from "./service-scenes.ts";

export const SCENES: Readonly<Record<string, OpenScene>> = { ...SERVICE_SCENES, ...MACHINE_SCENES, ...DATA_SCENES };
