import { formatDuration } from '../../../api/duration.ts';
import { nodeMetrics, podMetrics } from '../../../api/plain-resources.ts';
import { parseQuantity, Quantity } from '../../../api/quantity.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';
import { SELECTING, selectorsOf } from '../targets.ts';

const FLAGS = {
  selector: SELECTING.selector,
  'no-headers': { type: 'switch', help: 'no headers' },
  'sort-by': { type: 'text', help: 'cpu or memory' },
} as const;

type Usage = Readonly<Record<string, string>> | undefined;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/metricsutil/metrics_printer.go TopCmdPrinter.PrintNodeMetrics */
export const topNodes: Command = {
  name: 'top nodes',
  aliases: ['top node', 'top no'],
  usage: '[NODE]',
  summary: 'Prints the CPU and the memory that nodes use',
  reads: true,
  flags: FLAGS,
  run: async (call) => {
    const [name] = call.args;
    const { labelSelector } = selectorsOf(call);
    const metrics = metricsOf(call);
    const measured =
      name === undefined
        ? (await metrics.list(nodeMetrics, labelSelector === undefined ? {} : { labelSelector })).items
        : [await metrics.get(nodeMetrics, { name })];
    const { items } = await call.client.list(nodes);
    const rows = sorted(call, measured, ({ usage }) => usage).map(({ metadata, usage }) => {
      const { capacity, allocatable } =
        items.find((node) => node.metadata.name === metadata.name)?.status ?? {};
      const whole = allocatable ?? capacity;
      return [
        metadata.name,
        cpu(usage),
        share(usage, whole, 'cpu'),
        memory(usage),
        share(usage, whole, 'memory'),
      ];
    });
    print(call, ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'], rows);
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/metricsutil/metrics_printer.go TopCmdPrinter.PrintPodMetrics */
export const topPods: Command = {
  name: 'top pods',
  aliases: ['top pod', 'top po'],
  usage: '[POD] [-A] [--containers]',
  summary: 'Prints the CPU and the memory that pods use',
  reads: true,
  flags: {
    ...FLAGS,
    namespace: SELECTING.namespace,
    'all-namespaces': SELECTING['all-namespaces'],
    containers: { type: 'switch', help: 'a row for each container' },
  },
  run: async (call) => {
    const [name] = call.args;
    const { namespace, flags } = call;
    const { labelSelector } = selectorsOf(call);
    const metrics = metricsOf(call);
    const isEverywhere = flags.isOn('all-namespaces');
    const measured =
      name === undefined
        ? (
            await metrics.list(podMetrics, {
              ...(isEverywhere ? {} : { namespace }),
              ...(labelSelector === undefined ? {} : { labelSelector }),
            })
          ).items
        : [await metrics.get(podMetrics, { namespace, name })];
    if (measured.length === 0) {
      await mustBeNew(call);
      call.io.err(isEverywhere ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
      return;
    }
    const place = (of: (typeof measured)[number]): readonly string[] =>
      isEverywhere ? [of.metadata.namespace ?? ''] : [];
    const byContainer = flags.isOn('containers');
    const rows = sorted(call, measured, (pod) => total(pod.containers)).flatMap((pod) =>
      byContainer
        ? (pod.containers ?? []).map(({ name: container, usage }) => [
            ...place(pod),
            pod.metadata.name,
            container ?? '',
            cpu(usage),
            memory(usage),
          ])
        : [[...place(pod), pod.metadata.name, cpu(total(pod.containers)), memory(total(pod.containers))]],
    );
    const titles = [
      ...(isEverywhere ? ['NAMESPACE'] : []),
      ...(byContainer ? ['POD'] : []),
      'NAME',
      'CPU(cores)',
      'MEMORY(bytes)',
    ];
    print(call, titles, rows);
  },
};

/** Pods without metrics are new, or something is wrong. Upstream: pkg/cmd/top/top_pod.go verifyEmptyMetrics, checkPodAge */
async function mustBeNew(call: Call): Promise<void> {
  const isEverywhere = call.flags.isOn('all-namespaces');
  const { labelSelector } = selectorsOf(call);
  const { items } = await call.client.list(pods, {
    ...(isEverywhere ? {} : { namespace: call.namespace }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  });
  for (const { metadata } of items) {
    const ageMs = call.nowMs - Date.parse(metadata.creationTimestamp);
    if (ageMs <= NEW_MS) continue;
    const name = `${metadata.namespace}/${metadata.name}`;
    throw new KubectlError(`Metrics not available for pod ${name}, age: ${formatDuration(ageMs)}`);
  }
}

/** Upstream: pkg/cmd/top/top_pod.go metricsCreationDelay */
const NEW_MS = 120_000;

function metricsOf({ metrics }: Call): Client {
  if (metrics) return metrics;
  throw new KubectlError('Metrics API not available');
}

function print(call: Call, titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = call.flags.isOn('no-headers') ? rows : [titles, ...rows];
  // Upstream ends every cell with a tab, also the last.
  call.io.out(new TabWriter(TABLE_TABS).align(all.map((row) => `${row.join('\t')}\t\n`).join('')));
}

function sorted<T extends { readonly metadata: { readonly name: string; readonly namespace?: string } }>(
  { flags }: Call,
  all: readonly T[],
  usage: (each: T) => Usage,
): readonly T[] {
  const by = flags.text('sort-by');
  if (by !== undefined && by !== 'cpu' && by !== 'memory') {
    throw new KubectlError('--sort-by accepts only cpu or memory');
  }
  const nameOf = ({ metadata }: T): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  return all.toSorted((a, b) =>
    by === undefined ? (nameOf(a) < nameOf(b) ? -1 : 1) : amount(usage(b), by).cmp(amount(usage(a), by)),
  );
}

const amount = (usage: Usage, name: string): Quantity => parseQuantity(usage?.[name] ?? '0');
const cpu = (usage: Usage): string => `${amount(usage, 'cpu').milliValue()}m`;
const memory = (usage: Usage): string => `${Math.floor(amount(usage, 'memory').value() / 2 ** 20)}Mi`;

function share(usage: Usage, whole: Usage, name: string): string {
  const all = amount(whole, name).milliValue();
  return `${all === 0 ? 0 : Math.trunc((amount(usage, name).milliValue() / all) * 100)}%`;
}

function total(containers: readonly { readonly usage?: Usage }[] = []): Usage {
  const of = (name: string): string =>
    containers
      .reduce((sum, { usage }) => sum.add(amount(usage, name)), new Quantity(0n, 'DecimalSI'))
      .toString();
  return { cpu: of('cpu'), memory: of('memory') };
}
