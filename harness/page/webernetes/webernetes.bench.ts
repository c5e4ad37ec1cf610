/**
 * Compares our whole cluster with `@ngrok/webernetes`, from an empty process until all replicas of a Deployment are ready.
 * Each measurement has a process of its own, so neither pays for the compiled code of the other, and both are bundled
 * alike. A cold run is the first one of its process.
 *
 * webernetes is a devDependency, because it is light: it adds two packages without install scripts to `npm ci`, 0.8 MB
 * to download. So its version is locked, and the comparison needs no network.
 */
import { costsSideBySide } from '../../testing/side-by-side.ts';
import { bundlePrograms } from './child.ts';
import type { Measured, ProgramOptions } from './program.ts';

const { ours, webernetes } = await bundlePrograms();

/** The clusters of a warm run: the last one is measured. */
const WARM = 4;

const contenders: Readonly<Record<string, (options: Omit<ProgramOptions, 'secured'>) => Promise<Measured>>> =
  {
    webernetes: (options) => webernetes({ ...options, secured: false }),
    'our cluster': (options) => ours({ ...options, secured: true }),
    'without access control': (options) => ours({ ...options, secured: false }),
  };

for (const replicas of [3, 30, 100, 300]) {
  costsSideBySide(`From an empty process to ${replicas} ready replicas`, {
    contenders,
    costsOf: async (run) => {
      const { cpuMs, applyCpuMs, maxRssMb } = await run({ replicas, clusters: 1 });
      return { 'CPU, ms': cpuMs, 'CPU from the apply on, ms': applyCpuMs, 'memory, MB': maxRssMb };
    },
  });
}

// With more replicas, most code is compiled during the first run.
for (const replicas of [3, 30]) {
  costsSideBySide(`Another cluster in a warm process, to ${replicas} ready replicas`, {
    contenders,
    costsOf: async (run) => {
      const { cpuMs, applyCpuMs } = await run({ replicas, clusters: WARM });
      return { 'CPU, ms': cpuMs, 'CPU from the apply on, ms': applyCpuMs };
    },
  });
}
