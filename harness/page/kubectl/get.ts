import { parse } from '../../api/label-selector.ts';
import type { KubeObject } from '../../api/objects.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { Resource } from '../../api/resource.ts';
import { type Call, type Command, INTERRUPTED } from './command.ts';
import { message } from './errors.ts';
import { KubectlError } from './kubectl-error.ts';
import { aborted } from './observer.ts';
import { firstAt } from './print/json-path-template.ts';
import { PRINTING, printerOf } from './print/output.ts';
import { TablePrinter } from './print/table-printer.ts';
import { SELECTING, select, selectorsOf, type Target, type Targets } from './targets.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/get/get.go GetOptions.Run */
export const get: Command = {
  name: 'get',
  usage: '(TYPE[,TYPE] [NAME] | TYPE/NAME | -f FILE) [-o FORMAT] [-w]',
  summary: 'Lists objects, or prints one',
  reads: true,
  flags: {
    ...SELECTING,
    ...PRINTING,
    watch: { short: 'w', type: 'switch', help: 'go on with each change, until Ctrl-C' },
    'watch-only': { type: 'switch', help: 'only the changes' },
    'output-watch-events': { type: 'switch', help: 'with -w: a column with the kind of the change' },
    'show-labels': { type: 'switch', help: 'a column with all labels' },
    'label-columns': { short: 'L', type: 'list', help: 'a column for each of these labels' },
    'show-kind': { type: 'switch', help: 'names with their kind' },
    'no-headers': { type: 'switch', help: 'no headers' },
    'sort-by': { type: 'text', help: 'a path: .metadata.creationTimestamp' },
    'ignore-not-found': { type: 'switch', help: 'no error about objects that do not exist' },
  },
  run: async (call) => {
    if (call.args.length === 0 && !call.flags.has('filename')) {
      throw new KubectlError(
        'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\nerror: Required resource not specified.',
        { isPlain: true },
      );
    }
    const { targets, errors: all } = await select(call, { wholeKinds: true });
    const errors = call.flags.isOn('ignore-not-found') ? all.filter((error) => !isMissing(error)) : all;
    if (call.flags.isOn('watch') || call.flags.isOn('watch-only')) return watch(call, targets, errors);
    const printer = printerOf(call);
    const rows = sorted(call, targets);
    if (printer) {
      if (
        rows.length > 0 ||
        (errors.length === 0 && !targets.some(({ named }) => named) && targets.length > 0)
      ) {
        call.io.out(printer(rows, !(targets.length === 1 && targets[0]?.named)));
      }
    } else printTables(call, targets, rows, errors);
    for (const error of errors) call.io.err(`${message(error)}\n`);
    return errors.length > 0 ? 1 : 0;
  },
};

function printTables(
  call: Call,
  targets: readonly Targets[],
  rows: readonly Target[],
  errors: readonly unknown[],
): void {
  const kinds = call.flags.isOn('show-kind') || new Set(targets.map(({ resource }) => resource)).size > 1;
  let last: Resource | undefined;
  let group: KubeObject[] = [];
  let hasWritten = false;
  const flush = (): void => {
    if (!last || group.length === 0) return;
    const text = tablePrinter(call, last, kinds).print(group, call.nowMs);
    call.io.out(hasWritten && !call.flags.isOn('no-headers') ? `\n${text}` : text);
    hasWritten = true;
  };
  for (const { resource, object } of rows) {
    if (resource !== last) {
      flush();
      group = [];
    }
    last = resource;
    group.push(object);
  }
  flush();
  if (hasWritten || errors.length > 0 || call.flags.isOn('ignore-not-found')) return;
  const isNamespaced =
    !call.flags.isOn('all-namespaces') && targets.every(({ resource }) => resource.namespaced);
  call.io.err(isNamespaced ? `No resources found in ${call.namespace} namespace.\n` : 'No resources found\n');
}

function tablePrinter({ flags }: Call, resource: Resource, kinds: boolean): TablePrinter {
  return new TablePrinter(resource, {
    wide: flags.text('output') === 'wide',
    headers: !flags.isOn('no-headers'),
    namespaces: flags.isOn('all-namespaces') && resource.namespaced,
    kinds,
    labels: flags.isOn('show-labels'),
    labelColumns: flags.list('label-columns'),
  });
}

/**
 * Prints each change of the selected objects until Ctrl-C.
 *
 * Differs: it observes the storage, so it is never behind, and the end of a watch does not end it.
 */
async function watch(call: Call, targets: readonly Targets[], errors: readonly unknown[]): Promise<number> {
  const [first, other] = targets;
  if (errors.length > 0) throw errors[0];
  if (!first || other) throw new KubectlError('you may only specify a single resource type');
  const { resource, named } = first;
  const print = watchPrinter(call, resource);
  const isEverywhere = !resource.namespaced || call.flags.isOn('all-namespaces');
  const { labelSelector = '', fieldSelector } = selectorsOf(call);
  if (fieldSelector !== undefined) {
    throw new KubectlError('the prompt takes --field-selector without -w only; -w takes a name or -l');
  }
  const labels = parse(labelSelector);
  const name = named ? first.objects[0]?.metadata.name : undefined;
  const selects = ({ metadata }: KubeObject): boolean =>
    (isEverywhere || metadata.namespace === call.namespace) &&
    (name === undefined || metadata.name === name) &&
    labels.matches(metadata.labels ?? {});
  if (!call.flags.isOn('watch-only'))
    print(
      sorted(call, targets).map(({ object }) => object),
      'ADDED',
    );
  const end = call.observer.follow(resource, ({ type, object, previous, last }) => {
    const before = previous !== undefined && selects(previous);
    const after = type !== 'DELETED' && selects(object);
    if (after) print([object], before ? 'MODIFIED' : 'ADDED');
    else if (before) print([last], 'DELETED');
  });
  await aborted(call.io.signal);
  end();
  return INTERRUPTED;
}

function watchPrinter(
  call: Call,
  resource: Resource,
): (objects: readonly KubeObject[], event: string) => void {
  const showsEvents = call.flags.isOn('output-watch-events');
  const printer = printerOf(call);
  const table = tablePrinter(call, resource, call.flags.isOn('show-kind'));
  return (objects, event) => {
    if (printer) for (const object of objects) call.io.out(printer([{ resource, object }], false));
    else call.io.out(table.print(objects, call.cluster.clock.now(), showsEvents ? event : undefined));
  };
}

/** Sorts by `--sort-by`, which compares numbers, quantities and texts. */
function sorted({ flags }: Call, targets: readonly Targets[]): readonly Target[] {
  const rows = targets.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object })));
  const path = flags.text('sort-by');
  if (path === undefined) return rows;
  return rows
    .map((row) => ({ row, value: firstAt(path, row.object) }))
    .toSorted((a, b) => compared(a.value, b.value))
    .map(({ row }) => row);
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/get/sorter.go isLess */
function compared(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [quantity(a), quantity(b)];
  if (left && right) return left.cmp(right);
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function quantity(value: unknown): ReturnType<typeof parseQuantity> | undefined {
  try {
    return parseQuantity(String(value));
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return (error as { readonly reason?: string }).reason === 'NotFound';
}
