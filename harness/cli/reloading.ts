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
  /** Told what was loaded anew. */
  readonly tell: (line: string) => void;
  /** Told what could not be loaded. What there was goes on. */
  readonly complain: (line: string) => void;
}

/** How often it is looked whether a file has been saved, in real ms. Editors write in many ways, which notifications tell differently. */
const LOOK_MS = 300;

/** Loads a learner's file anew when it is saved, and starts the processes again that stand on it, with empty memory. */
export function reloading(options: ReloadingOptions): Disposable {
  const { root, own, cluster, processes, tell, complain } = options;
  const saved = async (file: string, parts: readonly (keyof Components)[]): Promise<void> => {
    try {
      await own.reload(file);
    } catch (error) {
      complain(`${(error as Error).message} Until then what was there goes on.`);
      return;
    }
    const concerned = processes.filter(({ name }) => parts.some((part) => standsOn(name, part)));
    const [only, ...others] = concerned;
    const what = only && others.length === 0 ? `the ${only.name}` : 'what stands on it';
    tell(`${file} was saved. It is loaded anew, and ${what} starts again.`);
    for (const process of concerned) {
      cluster.sim.schedule(0, process.name, 'restart', () => {
        process.crash();
        process.start();
      });
    }
  };
  const watched = [...own.files].map(([file, parts]) => {
    const place = path.join(root, file);
    watchFile(place, { interval: LOOK_MS }, (now, before) => {
      // It is told of reading, too.
      if (now.mtimeMs !== before.mtimeMs) void saved(file, parts);
    });
    return place;
  });
  return {
    [Symbol.dispose]() {
      for (const place of watched) unwatchFile(place);
    },
  };
}

/** A part that is no process of its own may be in any. */
function standsOn(process: string, part: keyof Components): boolean {
  const { name } = componentTable[part].process ?? {};
  return name === undefined || `${process}-`.startsWith(`${name}-`);
}
