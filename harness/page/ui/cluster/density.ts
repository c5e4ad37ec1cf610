/** How the nodes share their area, and how much of each pod there is room for. */
export interface Density {
  /** Nodes side by side. */
  readonly columns: number;
  /** Lines of nodes. */
  readonly rows: number;
  /** `rows`: a line a pod; `chips`: the tail of its name; `cells`: only its mark. */
  readonly pods: 'rows' | 'chips' | 'cells';
  /** Whether a node's head is one line, without the names of its processes. */
  readonly isBrief: boolean;
  /** The side of a cell, in px. */
  readonly cell: number;
  /** The pods of one node that have room; further pods are counted. */
  readonly podsMax: number;
}

/** The area of the nodes and its content. */
export interface DensityOptions {
  /** The width and height of the area, in px. */
  readonly width: number;
  readonly height: number;
  readonly nodes: number;
  /** The pods of the fullest node. */
  readonly pods: number;
  /** Whether a node has a line for its taints. @defaultValue false */
  readonly hasTaints?: boolean;
}

/** Sizes in px that the style sheet and this table share. */
export const sizes = {
  /** Between nodes, and room for the wires between their lines. */
  gap: 14,
  /** The name of a node, its state and its processes, in full and in brief. */
  head: 62,
  briefHead: 27,
  /** One pod. */
  row: 25,
  chip: 25,
  /** The narrowest node for a line a pod, for a chip, and at all. */
  rowWidth: 190,
  chipWidth: 66,
  nodeWidth: 62,
  /** The room of the wires left and right of the pods, and below. */
  sides: 26,
  foot: 6,
  /** The line of the taints. */
  taints: 14,
  /** Between cells. */
  cellGap: 2,
} as const;

const cells = [22, 18, 15, 12, 10] as const;

/** Returns the most legible arrangement that has room for all pods, or the densest. */
export function densityOf(options: DensityOptions): Density {
  const arrangements = Array.from({ length: Math.max(1, options.nodes) }, (_, index) => index + 1)
    .filter((columns) => columns === 1 || widthOf(options, columns) >= sizes.nodeWidth)
    .flatMap((columns) => [...variants(options, columns)]);
  const fitting = arrangements.filter(({ podsMax }) => podsMax >= options.pods);
  const [best] =
    fitting.length > 0 ? fitting.sort(byLegibility) : arrangements.sort((a, b) => b.podsMax - a.podsMax);
  return best ?? { columns: 1, rows: 1, pods: 'cells', isBrief: true, cell: 10, podsMax: 0 };
}

function* variants(options: DensityOptions, columns: number): Generator<Density> {
  const rows = Math.ceil(Math.max(1, options.nodes) / columns);
  const whole = widthOf(options, columns);
  const width = whole - sizes.sides;
  const height = (options.height - sizes.gap * (rows + 1)) / rows - sizes.foot;
  const arrangement = { columns, rows, cell: 0 };
  const across = lines(width, sizes.chipWidth);
  for (const isBrief of [false, true]) {
    const taints = options.hasTaints && !isBrief ? sizes.taints : 0;
    const room = height - taints - (isBrief ? sizes.briefHead : sizes.head);
    if (whole < sizes.rowWidth) continue;
    yield { ...arrangement, isBrief, pods: 'rows', podsMax: lines(room, sizes.row) };
    yield { ...arrangement, isBrief, pods: 'chips', podsMax: across * lines(room, sizes.chip) };
  }
  for (const cell of cells) {
    const side = cell + sizes.cellGap;
    const podsMax = lines(whole - 12, side) * lines(height - sizes.briefHead, side);
    yield { ...arrangement, cell, isBrief: true, pods: 'cells', podsMax };
  }
}

/** Most words first; then the largest cells; then the most even grid, with few lines of nodes. */
function byLegibility(a: Density, b: Density): number {
  const places = ({ columns, rows }: Density) => columns * rows;
  return (
    words.indexOf(a.pods) - words.indexOf(b.pods) ||
    Number(a.isBrief) - Number(b.isBrief) ||
    b.cell - a.cell ||
    places(a) - places(b) ||
    a.rows - b.rows
  );
}

const words: readonly Density['pods'][] = ['rows', 'chips', 'cells'];

const widthOf = ({ width }: DensityOptions, columns: number): number =>
  (width - sizes.gap * (columns - 1)) / columns;

const lines = (room: number, one: number): number => Math.max(0, Math.floor(room / one));
