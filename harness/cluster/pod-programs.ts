import type { Pod } from '../api/objects.ts';
import { pods } from '../api/resource.ts';
import type { Storage } from '../apiserver/storage/storage.ts';
import type { Components } from '../contracts/component.ts';
import type { KubernetesDns } from '../contracts/dns.ts';
import { coredns, type StartKubernetesDns } from '../node/programs/coredns/coredns.ts';
import type { Programs } from '../node/programs/program.ts';
import { standInProgram } from '../node/programs/stand-in.ts';
import { ANY_EXECUTABLE } from '../node/registry/oci.ts';
import type { Process, Program } from './process.ts';
import type { Replica } from './replica.ts';
import { TokenFile } from './token-file.ts';

/** The part of a cluster that programs in pods need. */
interface Surroundings {
  readonly storage: Storage;
  replica(): Pick<Replica, 'server'>;
  run(name: string, program: Program, options: { readonly token: () => string | undefined }): Process;
  has(part: keyof Components): boolean;
  component<K extends keyof Components>(part: K): Components[K];
}

/**
 * Returns the container programs that talk to the apiserver, by the name of their executable. CoreDNS also has a
 * process of the cluster: faults and traces use its pod's name for it, and it lives as long as the program. A stand-in
 * only looks up its own pod.
 *
 * Differs: requests bypass the Service `kubernetes`, so a partition of the pod's network does not affect them.
 */
export function podPrograms(cluster: Surroundings): Programs {
  const startKubernetes: StartKubernetesDns = (process, stanza, lookup) => {
    let dns: KubernetesDns | undefined;
    let file: TokenFile | undefined;
    const run: Program = async (context) => {
      const { clock, signal } = context;
      if (cluster.replica().server.access) {
        file = await TokenFile.of(process).catch(({ message }: Error) => {
          process.stdout(`plugin/kubernetes: ${message}\n`);
          process.exit(1);
          return undefined;
        });
        if (!file) return;
      }
      dns = cluster.component('dns')({ ...stanza, context, lookup });
      if (file) await file.reread(clock, signal);
      else await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    const life = cluster.run(process.hostname, run, { token: () => file?.token });
    process.onEnd(() => life.retire());
    return {
      hasSynced: () => dns?.hasSynced() ?? false,
      answer: async (question) => dns?.answer(question),
    };
  };
  const findPod = (uid: string): Pod | undefined =>
    (cluster.storage.list(pods) as Pod[]).find(({ metadata }) => metadata.uid === uid);
  return {
    [ANY_EXECUTABLE]: standInProgram(findPod),
    ...(cluster.has('dns') && { coredns: coredns(startKubernetes) }),
  };
}
