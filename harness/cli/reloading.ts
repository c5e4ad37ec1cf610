import { unwatchFile, watchFile } from 'node:fs';
import path from 'node:path';
import type { Cluster } from '../cluster/cluster.ts';
import { componentTable } from '../cluster/component-table.ts';
import type { Process } from '../cluster/process.ts';
import type { Components } from '../contracts/component.ts';
import type { Mine } from './mine.ts';

interface ReloadingOptions {
  /** The workbook's folder. */
  readonly root: string;
  readonly own: Mine;
  readonly cluster: Cluster;
  readonly processes: readonly Process[];
  /** Called with a sentence about each file that was reloaded. */
  readonly tell: (line: string) => void;
  /** Called with a sentence about a file that cannot be loaded. Its earlier version keeps running. */
  readonly complain: (line: string) => void;
}

/** How often files are checked, in real ms. Editors save in many ways, and notifications differ from one to the next. */
const LOOK_MS = 300;

/** Reloads a learner's file when it is saved, and restarts the processes that use it, with empty memory. */
export function reloading(options: ReloadingOptions): Disposable {
  const { root, own, cluster, processes, tell, complain } = options;
  const saved = async (file: string, parts: readonly (keyof Components)[]): Promise<void> => {
    try {
      await own.reload(file);
    } catch (error) {
      complain(`${(error as Error).message} The version from before keeps running.`);
      return;
    }
    const concerned = processes.filter(({ name }) => parts.some((part) => uses(name, part)));
    tell(`${file} was saved and reloaded. ${whoRestarts(concerned)}.`);
    for (const process of concerned) {
      cluster.sim.schedule(0, process.name, 'restart', () => {
        process.crash();
        process.start();
      });
    }
  };
  /** One after the other: the text that was saved last must be loaded last. */
  let loaded = Promise.resolve();
  const watched = [...own.files].map(([file, parts]) => {
    const place = path.join(root, file);
    watchFile(place, { interval: LOOK_MS }, (now, before) => {
      // The callback runs after reads, too.
      if (now.mtimeMs !== before.mtimeMs) loaded = loaded.then(() => saved(file, parts));
    });
    return place;
  });
  return {
    [Symbol.dispose]() {
      for (const place of watched) unwatchFile(place);
    },
  };
}

function whoRestarts([only, ...others]: readonly Process[]): string {
  if (!only) return 'The store restarts with its disk';
  return others.length === 0 ? `The ${only.name} restarts` : 'The processes that use it restart';
}

/** Any process may use a part that does not run as a process, except the store: it is behind the apiserver. */
function uses(process: string, part: keyof Components): boolean {
  if (part === 'keyValueStore') return false;
  const { name } = componentTable[part].process ?? {};
  return name === undefined || `${process}-`.startsWith(`${name}-`);
}
