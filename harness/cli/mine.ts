import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ComponentRow, componentTable } from '../cluster/component-table.ts';
import type { Components } from '../contracts/component.ts';
import { NotImplemented } from '../contracts/todo.ts';
import { Failure } from './failure.ts';
import { type Kata, readKatas } from './katas.ts';

/** A cluster's parts, and whose each is. */
export interface Mine {
  readonly components: Partial<Components>;
  /** By part of the table, in its order. */
  readonly whose: ReadonlyMap<keyof Components, 'yours' | "the reference's">;
  /** The files that are theirs, relative to the workbook, and the parts in each. */
  readonly files: ReadonlyMap<string, readonly (keyof Components)[]>;
  /** Puts what is in one of these files by now into {@link components}. @throws Failure when it cannot be loaded */
  reload(file: string): Promise<void>;
}

/**
 * The learner's components, and the reference's where theirs is not written: where the stub still says `todo`, and its laws
 * are not green without.
 *
 * @param root the workbook's folder
 * @param reference what stands in for theirs
 * @throws Failure when a file of theirs cannot be loaded
 */
export async function mine(root: string, reference: Partial<Components>): Promise<Mine> {
  const katas = new Map(readKatas(root).map((kata) => [kata.id, kata]));
  const components: Record<string, unknown> = { ...reference };
  const whose = new Map<keyof Components, 'yours' | "the reference's">();
  const files = new Map<string, (keyof Components)[]>();
  for (const [part, { kata: id, subject }] of rows) {
    const kata = katas.get(id);
    const written = kata !== undefined && isWritten(kata);
    if (written) {
      components[part] = (await load(root, kata.stub))[subject];
      files.set(kata.stub, [...(files.get(kata.stub) ?? []), part]);
    }
    if (components[part] !== undefined) whose.set(part, written ? 'yours' : "the reference's");
  }
  let loads = 0;
  const reload = async (file: string): Promise<void> => {
    // A module is loaded once: under a name of its own it is another one.
    const loaded = await load(root, file, `?${++loads}`);
    for (const part of files.get(file) ?? []) components[part] = loaded[componentTable[part].subject];
  };
  return { components: components as Partial<Components>, whose, files, reload };
}

/** `informer: yours, workQueue: the reference's` */
export function sayWhose({ whose }: Mine): string {
  return `Whose each part is: ${[...whose].map(([part, owner]) => `${part}: ${owner}`).join(', ')}.`;
}

/**
 * Runs a cluster, and says of what went wrong in it that it is the learner's code.
 *
 * @throws Failure in the place of every error, if any part is theirs
 */
export async function blamingMine<T>({ whose }: Mine, run: () => Promise<T>): Promise<T> {
  const before = NotImplemented.thrown;
  const yours = [...whose].flatMap(([part, owner]) => (owner === 'yours' ? [part] : []));
  const unwritten = (): Failure | undefined => {
    const { last } = NotImplemented;
    if (NotImplemented.thrown === before || !last) return undefined;
    return new Failure(
      'run your cluster',
      `it calls ${last.symbol}, which is not written yet`,
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
        `Yours are: ${yours.join(', ')}. Do their tests pass? npm run kata says.`,
      )
    );
  }
}

const rows = Object.entries(componentTable) as readonly [keyof Components, ComponentRow][];

/** Without a `todo`; or done, as a kata may be whose levels were not taken. */
function isWritten({ text, progress, standing }: Kata): boolean {
  return text !== undefined && (progress.left === 0 || (standing.state === 'done' && !standing.stale));
}

async function load(root: string, stub: string, query = ''): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { href } = pathToFileURL(path.join(root, stub));
    return (await import(`${href}${query}`)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(`load ${stub}`, why, 'Correct it, or see what its tests say.');
  }
}
