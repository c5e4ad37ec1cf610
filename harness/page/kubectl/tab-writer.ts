/** How a {@link TabWriter} makes columns. */
interface TabOptions {
  /** The least width of a column, with its padding. */
  readonly minWidth: number;
  /** The spaces after the widest cell of a column. */
  readonly padding: number;
  /** Whether a column never becomes narrower in later lines. */
  readonly remembers: boolean;
}

/** The columns of `kubectl get`. Upstream: kubernetes/cli-runtime@v0.36.3 pkg/printers/tabwriter.go GetNewTabWriter */
export const TABLE_TABS: TabOptions = { minWidth: 6, padding: 3, remembers: true };

/** The columns of `kubectl describe`. Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go tabbedString */
const DESCRIBE_TABS: TabOptions = { minWidth: 0, padding: 2, remembers: false };

/**
 * Aligns texts with tabs as Go's `text/tabwriter` does: a cell ends with a tab, and a column is a block of cells in
 * lines that follow each other. The last cell of a line belongs to no column.
 *
 * Upstream: golang/go@go1.26.4 src/text/tabwriter/tabwriter.go Writer.format
 */
export class TabWriter {
  readonly #options: TabOptions;
  /** The greatest width of each column in earlier lines. */
  readonly #remembered: number[] = [];

  constructor(options: TabOptions) {
    this.#options = options;
  }

  /** Aligns whole lines. */
  align(text: string): string {
    const lines = text.split('\n').map((line) => line.split('\t'));
    const out: string[] = [];
    this.#format(lines, 0, lines.length, [], out);
    return out.join('\n');
  }

  #format(
    lines: readonly (readonly string[])[],
    from: number,
    to: number,
    widths: readonly number[],
    out: string[],
  ): void {
    const column = widths.length;
    const has = (line: number): boolean => column < (lines[line]?.length ?? 0) - 1;
    let written = from;
    for (let line = from; line < to; line++) {
      if (!has(line)) continue;
      write(lines.slice(written, line), widths, out);
      const begin = line;
      let { minWidth: width } = this.#options;
      for (; line < to && has(line); line++) {
        const cell = lines[line]?.[column] ?? '';
        width = Math.max(width, lengthOf(cell) + this.#options.padding);
      }
      if (this.#options.remembers) {
        width = Math.max(width, this.#remembered[column] ?? 0);
        this.#remembered[column] = width;
      }
      this.#format(lines, begin, line, [...widths, width], out);
      written = line;
    }
    write(lines.slice(written, to), widths, out);
  }
}

function write(lines: readonly (readonly string[])[], widths: readonly number[], out: string[]): void {
  for (const cells of lines) {
    out.push(
      cells
        .map((cell, at) => {
          const width = widths[at];
          return width === undefined ? cell : cell + ' '.repeat(Math.max(0, width - lengthOf(cell)));
        })
        .join(''),
    );
  }
}

const lengthOf = (cell: string): number => [...cell].length;

/** Aligns a text as `kubectl describe` does. */
export function tabbed(text: string): string {
  return new TabWriter(DESCRIBE_TABS).align(text);
}
