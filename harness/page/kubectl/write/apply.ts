import { parse, type Selector } from '../../../api/label-selector.ts';
import { appliedLines, errorLines } from '../../../cluster/kubectl-words.ts';
import { BrokenApply, runApply } from '../../../cluster/run-apply.ts';
import type { ApplyOptions, ApplyReport, ManifestDocument } from '../../../contracts/apply/index.ts';
import { mappingsOf } from '../../../given/11-apply/discovery.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { documentsIn } from '../manifests.ts';
import { printerOf } from '../print/output.ts';
import { SELECTING } from '../targets.ts';
import { dryRunOf, WRITING } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.Run */
export const apply: Command = {
  name: 'apply',
  usage: '-f FILE [--server-side]',
  summary: 'Creates the objects of a manifest, or changes them to match it; -f - applies the editor',
  reads: false,
  flags: {
    ...WRITING,
    filename: SELECTING.filename,
    selector: { short: 'l', type: 'text', help: 'only the objects of the manifest with these labels' },
    'server-side': { type: 'switch', help: 'let the server merge, and track the owner of each field' },
    'force-conflicts': { type: 'switch', help: 'with --server-side: take over fields of other managers' },
    force: { type: 'switch', help: 'delete and create again an object that cannot be patched' },
    timeout: { type: 'duration', help: 'with --force: the longest wait for a deletion' },
    prune: { type: 'switch', help: 'delete objects that were applied before, with -l or --all' },
    all: { type: 'switch', help: 'with --prune: whatever their labels' },
  },
  run: async (call) => {
    const files = call.flags.list('filename');
    if (files.length === 0) throw new KubectlError('must specify one of -f and -k: -f - is the editor');
    if (call.args.length > 0) throw new KubectlError(`Unexpected args: [${call.args.join(' ')}]`);
    const options = applyOptionsOf(call);
    const report = await applied(call, chosenDocuments(call), options);
    print(call, report, options);
    return report.errors.length > 0 ? 1 : 0;
  },
};

/**
 * Returns the options of an apply.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/apply/apply.go ApplyOptions.Validate
 *
 * @throws KubectlError for flags that contradict each other
 */
function applyOptionsOf(call: Call): ApplyOptions {
  const { flags } = call;
  const is = (name: string): boolean => flags.isOn(name);
  const dryRun = dryRunOf(call);
  const contradictions: readonly (readonly [boolean, string])[] = [
    [is('force-conflicts') && !is('server-side'), '--force-conflicts only works with --server-side'],
    [
      dryRun === 'client' && is('server-side'),
      "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    ],
    [is('force') && is('server-side'), '--force cannot be used with --server-side'],
    [is('force') && dryRun === 'server', '--dry-run=server cannot be used with --force'],
    [is('all') && flags.has('selector'), 'cannot set --all and --selector at the same time'],
    [is('prune') && is('force'), '--force cannot be used with --prune'],
    [
      is('prune') && !is('all') && !flags.has('selector'),
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    ],
    [
      is('prune') && is('server-side'),
      "--prune is in alpha and doesn't currently work on objects created by server-side apply",
    ],
  ];
  const [, contradiction] = contradictions.find(([isMeant]) => isMeant) ?? [];
  if (contradiction !== undefined) throw new KubectlError(contradiction);
  const timeoutMs = flags.duration('timeout');
  return {
    namespace: { name: call.namespace, required: flags.has('namespace') },
    force: is('force'),
    ...(timeoutMs ? { timeoutMs } : {}),
    ...(dryRun !== 'none' && { dryRun }),
    serverSide: is('server-side'),
    forceConflicts: is('force-conflicts'),
    ...(is('prune') && { prune: { selector: labelsOf(selectorOf(call)) } }),
  };
}

const selectorOf = ({ flags }: Pick<Call, 'flags'>): Selector => parse(flags.text('selector') ?? '');

/** Differs: upstream also prunes by sets of values. */
function labelsOf({ requirements }: Selector): Readonly<Record<string, string>> {
  const pairs = requirements.map(({ key, operator, values }) => {
    if (operator === '=' || operator === '==') return [key, values[0] as string] as const;
    throw new KubectlError(
      `--prune takes labels with one value here, such as app=web, not ${key} ${operator}`,
    );
  });
  return Object.fromEntries(pairs);
}

/**
 * Runs the apply of the cluster.
 *
 * @throws KubectlError when it breaks its contract, as a learner's can
 */
export async function applied(
  call: Call,
  documents: readonly ManifestDocument[],
  options: ApplyOptions,
): Promise<ApplyReport> {
  const { client, cluster, kinds } = call;
  const context = { client, clock: cluster.clock, mappingOf: mappingsOf(kinds.all) };
  try {
    return await runApply(cluster.component('apply'), context, documents, options);
  } catch (error) {
    throw error instanceof BrokenApply ? new KubectlError(error.message) : error;
  }
}

/** Returns the documents of `-f`, without the objects that `-l` does not match. */
export function chosenDocuments(call: Call): readonly ManifestDocument[] {
  const documents = call.flags.list('filename').flatMap((file) => documentsIn(call, file));
  const selector = selectorOf(call);
  return selector.empty ? documents : documents.flatMap((document) => selected(document, selector));
}

/** Returns the document without the objects that a selector does not match; a List keeps its other items. */
function selected(document: ManifestDocument, selector: Selector): readonly ManifestDocument[] {
  if (!('value' in document)) return [document];
  const value = document.value as Selectable | null;
  if (!Array.isArray(value?.items)) return selector.matches(value?.metadata?.labels) ? [document] : [];
  const items = value.items.filter((item) => selector.matches(item?.metadata?.labels));
  return items.length === 0 ? [] : [{ ...document, value: { ...value, items } }];
}

/** The parts of a document that a selector reads. */
interface Selectable {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly items?: readonly (Selectable | null)[];
}

function print(call: Call, report: ApplyReport, { dryRun }: ApplyOptions): void {
  const { io } = call;
  for (const warning of report.warnings) io.err(`Warning: ${warning}\n`);
  const printer = printerOf(call);
  const pruned = report.applied.filter(({ outcome }) => outcome === 'pruned');
  const others = report.applied.filter(({ outcome }) => outcome !== 'pruned');
  const printed = printer === undefined ? report : { ...report, applied: pruned };
  if (printer && others.length > 0) io.out(printer(others, others.length > 1));
  for (const line of appliedLines(printed, dryRun)) io.out(`${line}\n`);
  for (const line of errorLines(report)) io.err(`${line}\n`);
}
