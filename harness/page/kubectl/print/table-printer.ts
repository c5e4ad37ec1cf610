import type { KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { customVersionOf } from '../../../apiserver/custom/custom-version.ts';
import { agoAt } from '../../../apiserver/table/ago.ts';
import type { Cell, Column } from '../../../apiserver/table/column.ts';
import { columnsOf } from '../../../apiserver/table/index.ts';
import { kindName } from '../../../cluster/kubectl-words.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';

/** The columns of a table beside those of the server. */
interface TableOptions {
  readonly wide?: boolean;
  readonly headers?: boolean;
  readonly namespaces?: boolean;
  /** Whether each name starts with the kind: `pod/web`. */
  readonly kinds?: boolean;
  readonly labels?: boolean;
  /** Labels with a column each. */
  readonly labelColumns?: readonly string[];
}

/**
 * Prints objects of one resource as rows, with the server's columns. The columns keep their widths from call to call,
 * and the headers are printed once.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/printers/tableprinter.go HumanReadablePrinter
 */
export class TablePrinter {
  readonly #resource: Resource;
  readonly #options: TableOptions;
  readonly #writer = new TabWriter(TABLE_TABS);
  readonly #columns: readonly Column<never>[];
  #hasHeaders: boolean;

  constructor(resource: Resource, options: TableOptions) {
    this.#resource = resource;
    this.#options = options;
    this.#hasHeaders = options.headers === false;
    const all = customVersionOf(resource)?.columns ?? columnsOf(resource.group, resource.kind);
    this.#columns = options.wide ? all : all.filter(({ priority }) => priority === 0);
  }

  /** @param event the column `EVENT` of `--output-watch-events` */
  print(objects: readonly KubeObject[], nowMs: number, event?: string): string {
    if (objects.length === 0) return '';
    const rows = objects.map((object) => this.#row(object, nowMs, event));
    const headers = this.#hasHeaders ? [] : [this.#headers(event)];
    this.#hasHeaders = true;
    return this.#writer.align([...headers, ...rows].map((row) => `${row.join('\t')}\n`).join(''));
  }

  #headers(event: string | undefined): readonly string[] {
    const { namespaces, labels, labelColumns = [] } = this.#options;
    return [
      ...(event === undefined ? [] : ['EVENT']),
      ...(namespaces ? ['NAMESPACE'] : []),
      ...this.#columns.map(({ name }) => name.toUpperCase()),
      ...labelColumns.map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
      ...(labels ? ['LABELS'] : []),
    ];
  }

  #row(object: KubeObject, nowMs: number, event: string | undefined): readonly string[] {
    const { namespaces, kinds, labels, labelColumns = [] } = this.#options;
    const { metadata } = object;
    const ago = agoAt(nowMs);
    const cells = this.#columns.map((column) => {
      const text = shown(column.cell(object as never, ago));
      return kinds && column.format === 'name' ? `${kindName(this.#resource)}/${text}` : text;
    });
    const all = Object.entries(metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    return [
      ...(event === undefined ? [] : [event.padEnd('MODIFIED'.length)]),
      ...(namespaces ? [metadata.namespace ?? ''] : []),
      ...cells,
      ...labelColumns.map((label) => metadata.labels?.[label] ?? ''),
      ...(labels ? [all.sort().join(',') || '<none>'] : []),
    ];
  }
}

/** A cell has one line: the rest of a text is cut off. */
function shown(cell: Cell): string {
  const text = cell === null ? '' : String(cell);
  const end = text.search(/[\f\n\r]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}
