import type { Components } from '../contracts/component.ts';
import type { KubernetesDns } from '../contracts/dns.ts';
import { coredns, type StartKubernetesDns } from '../node/programs/coredns/coredns.ts';
import type { Programs } from '../node/programs/program.ts';
import type { Process, Program } from './process.ts';

/** The part of a cluster that programs in pods need. */
interface Surroundings {
  run(name: string, program: Program): Process;
  has(part: keyof Components): boolean;
  component<K extends keyof Components>(part: K): Components[K];
}

/**
 * Returns the container programs that talk to the apiserver, by the name of their executable. Each also has a process
 * of the cluster: faults and traces use its pod's name for it, and it lives as long as the program.
 *
 * Differs: requests bypass the Service `kubernetes`, so a partition of the pod's network does not affect them.
 */
export function podPrograms(cluster: Surroundings): Programs {
  const startKubernetes: StartKubernetesDns = (process, stanza, lookup) => {
    let dns: KubernetesDns | undefined;
    const life = cluster.run(process.hostname, async (context) => {
      dns = cluster.component('dns')({ ...stanza, context, lookup });
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    });
    process.onEnd(() => life.retire());
    return {
      hasSynced: () => dns?.hasSynced() ?? false,
      answer: async (question) => dns?.answer(question),
    };
  };
  return cluster.has('dns') ? { coredns: coredns(startKubernetes) } : {};
}
