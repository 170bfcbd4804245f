// The pictures of the pipeline: where its nodes and edges are drawn. They are laid out when the console is built, because they never
// change while a server runs (D-347).

/** The ways that a task can take. */
export const PATH_NAMES = ["procedure", "replacement", "skill", "agent"] as const;
export type PathName = (typeof PATH_NAMES)[number];

export type DrawnPoint = readonly [x: number, y: number];

export type GraphPicture = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly {
    readonly id: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    /** Null where there is no choice. */
    readonly answer: string | null;
    readonly points: readonly DrawnPoint[];
    /** The middle of its answer; null without one. */
    readonly label: DrawnPoint | null;
  }[];
};

export type GraphPictures = Readonly<Record<PathName, GraphPicture>>;
