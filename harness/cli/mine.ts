import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ClusterStore, componentStore } from '../cluster/component-store.ts';
import { componentTable } from '../cluster/component-table.ts';
import { componentsIn, type Exports, sayOwners } from '../cluster/own-components.ts';
import type { Components } from '../contracts/component.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { isTaken, unwrittenIn } from '../workbook/taken.ts';
import { Failure } from './failure.ts';
import { commandFor, type Kata, readKatas, textOf } from './katas.ts';
import { sayMissing } from './missing.ts';
import type { Standing } from './standing.ts';

/** The components of a cluster: the learner's where they have built them, the reference's elsewhere. */
export interface Mine {
  /** The workbook's folder. */
  readonly root: string;
  readonly components: Partial<Components>;
  /** The parts that are the learner's, in the order of the table of components. */
  readonly yours: readonly (keyof Components)[];
  /** Sentences about started katas: why a component is the reference's, or that a component's laws fail. */
  readonly remarks: readonly string[];
  /** The learner's files, relative to the workbook, and the parts in each. */
  readonly files: ReadonlyMap<string, readonly (keyof Components)[]>;
  /**
   * Loads a file of {@link files} again and replaces its {@link components}. @throws Failure when it cannot be loaded
   */
  reload(file: string): Promise<void>;
}

/** Options of {@link mine}. */
interface MineOptions {
  /** The workbook's folder. */
  readonly root: string;
  /** The reference's components, for the parts that the learner has not built. */
  readonly reference: Partial<Components>;
  /** Called once for each sentence, when a stand-in plays a missing optional level (★). @defaultValue nothing is reported */
  readonly onStandIn?: (sentence: string) => void;
}

/**
 * Loads the learner's components. A kata counts if its stub has no `todo`, or if its unchanged code passed its laws in
 * the last run.
 *
 * @throws Failure when one of the learner's files cannot be loaded
 */
export async function mine({ root, reference, onStandIn = () => {} }: MineOptions): Promise<Mine> {
  const katas = readKatas(root);
  const components: Record<string, unknown> = { ...reference };
  const reported = new Set<string>();
  const tell = (sentence: string): void => {
    if (!reported.has(sentence)) onStandIn(sentence);
    reported.add(sentence);
  };
  const ownIn = async ({ id, stub }: Kata, query = ''): Promise<Partial<Components>> => {
    const unwritten = unwrittenIn(textOf(root, stub) ?? '');
    return componentsIn(id, await load(root, stub, query), { unwritten, onStandIn: tell });
  };
  const files = new Map<string, readonly (keyof Components)[]>();
  for (const kata of katas.filter(({ id, text }) => text !== undefined && isTaken(root, id, text))) {
    const own = await ownIn(kata);
    Object.assign(components, own);
    files.set(kata.stub, Object.keys(own) as (keyof Components)[]);
  }
  const taken = [...files.values()].flat();
  let loads = 0;
  return {
    root,
    components: components as Partial<Components>,
    yours: parts.filter((part) => taken.includes(part)),
    remarks: katas.flatMap((kata) => remarkOn(root, kata) ?? []),
    files,
    async reload(file) {
      const kata = katas.find(({ stub }) => stub === file);
      if (!kata) return;
      // Node loads a module only once. Another query makes it another module.
      const own = await ownIn(kata, `?${++loads}`);
      const missing = files.get(file)?.find((part) => own[part] === undefined);
      // An editor may not have finished writing the file.
      if (missing !== undefined)
        throw new Failure(
          `load ${file}`,
          `it does not export ${componentTable[missing].subject}`,
          'Export it.',
        );
      Object.assign(components, own);
    },
  };
}

/** `Your components: kubelet, scheduler. Everything else is the reference implementation.` And a line for each remark. */
export function sayWhose({ yours, remarks }: Pick<Mine, 'yours' | 'remarks'>): readonly string[] {
  return [sayOwners(yours), ...remarks];
}

/** Returns the learner's key-value store, for a cluster that stands on it; undefined if it is not theirs. */
export function ownStore({
  components,
  yours,
}: Pick<Mine, 'components' | 'yours'>): ClusterStore | undefined {
  const { keyValueStore } = components;
  if (!keyValueStore || !yours.includes('keyValueStore')) return undefined;
  // The component can be replaced later.
  return componentStore(components as Pick<Components, 'keyValueStore'>);
}

/**
 * Runs a cluster and attributes its failures to the learner's components.
 *
 * @throws Failure instead of any error, if the learner has a component
 */
export async function blamingMine<T>({ root, yours }: Mine, run: () => Promise<T>): Promise<T> {
  const before = NotImplemented.thrown;
  const unwritten = (): Failure | undefined => {
    const { last } = NotImplemented;
    if (NotImplemented.thrown === before || !last) return undefined;
    return new Failure(
      'run your cluster',
      sayMissing(root, last),
      `Read "${last.heading}" in katas/${last.kata}/README.md.`,
    );
  };
  try {
    const result = await run();
    const missing = unwritten();
    if (missing) throw missing;
    return result;
  } catch (error) {
    if (error instanceof Failure || yours.length === 0) throw unwritten() ?? error;
    const { cause } = error as { readonly cause?: unknown };
    const why = [error, ...(cause === undefined ? [] : [cause])].map((one) =>
      one instanceof Error ? one.message : String(one),
    );
    throw (
      unwritten() ??
      new Failure(
        'run your cluster',
        why.join(' '),
        `Your components: ${yours.join(', ')}. Run npm run kata to see whether their tests pass.`,
      )
    );
  }
}

const parts = Object.keys(componentTable) as readonly (keyof Components)[];

/** Returns why a started kata is not loaded, or that the tests of a loaded kata fail. */
function remarkOn(root: string, kata: Kata): string | undefined {
  const { id, text, stub, standing } = kata;
  if (standing.state === 'not begun') return undefined;
  const own = parts.filter((part) => componentTable[part].kata === id).join(', ');
  if (text === undefined) return `${own}: the reference's, because ${stub} does not exist.`;
  const run = `Run ${commandFor(kata)}.`;
  if (!isTaken(root, id, text)) return `${own}: the reference's, because ${whyNot(standing)}. ${run}`;
  return standing.state === 'failing' ? `${own}: yours, although ${whyNot(standing)}. ${run}` : undefined;
}

function whyNot({ open = 'it has changed since its laws passed', stale, state }: Standing): string {
  return stale && state === 'failing' ? `${open}, as of the run before its last change` : open;
}

async function load(root: string, stub: string, query: string): Promise<Exports> {
  try {
    const { href } = pathToFileURL(path.join(root, stub));
    return (await import(`${href}${query}`)) as Exports;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // tsx reports a file that does not parse in this form.
    const [, place = stub, syntax = why] =
      /^Transform failed.*\n(.*:\d+:\d+): ERROR: (.*)/.exec(why.replaceAll(`${root}/`, '')) ?? [];
    throw new Failure(`load ${place}`, syntax, 'Correct it, or run its tests.');
  }
}
