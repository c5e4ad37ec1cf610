import type { Container } from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { forever } from './pause.ts';
import type { Process, Program } from './program.ts';

/** Finds the pod of a container by its uid. */
export type FindPod = (uid: string) => Pod | undefined;

/** How long a container runs that has to end. */
const ENDS_AFTER_MS = 1_000;

/**
 * Creates the program that plays every unknown executable of a stand-in image. The first process of a server listens
 * on the ports of its container, answers 200 to every request, and runs until it is stopped. Any other process ends
 * with success: commands of probes and hooks, init containers, and pods that do not restart.
 */
export function standInProgram(findPod: FindPod): Program {
  /** The containers whose first unknown executable has started. */
  const started = new WeakSet<object>();
  return async (process) => {
    const { container, clock } = process;
    if (!container || started.has(container)) return 0;
    started.add(container);
    const pod = findPod(container.podUid);
    const role = pod && roleIn(pod, container.name);
    if (role?.ends) {
      await clock.sleep(ENDS_AFTER_MS);
      return 0;
    }
    process.onSignal('SIGTERM', () => process.exit(0));
    if (role) listenOnPorts(process, role.of);
    return forever();
  };
}

function roleIn({ spec }: Pod, name: string): { readonly of: Container; readonly ends: boolean } | undefined {
  const init = spec.initContainers?.find((each) => each.name === name);
  if (init) return { of: init, ends: init.restartPolicy !== 'Always' };
  const own = spec.containers.find((each) => each.name === name);
  return own && { of: own, ends: spec.restartPolicy !== 'Always' };
}

/** Listens on the declared ports, and on those that only its probes name. */
function listenOnPorts(process: Process, of: Container): void {
  const probes = [of.startupProbe, of.livenessProbe, of.readinessProbe].flatMap((probe) => probe ?? []);
  const probed = probes.flatMap(
    ({ httpGet, tcpSocket, grpc }) => httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? [],
  );
  const declared = (of.ports ?? []).filter(({ protocol }) => protocol === 'TCP' || protocol === undefined);
  const isTls = (port: number, name?: string): boolean =>
    probes.some(
      ({ httpGet }) => httpGet?.scheme === 'HTTPS' && (httpGet.port === port || httpGet.port === name),
    );
  const names = new Map(declared.map(({ containerPort, name }) => [containerPort, name]));
  for (const port of new Set([...names.keys(), ...probed.filter((each) => typeof each === 'number')])) {
    try {
      process.listen(port, {
        tls: isTls(port, names.get(port)),
        http: () => ({ status: 200, headers: {}, body: `A stand-in plays ${of.image}.\n` }),
        health: () => 'SERVING',
      });
    } catch {
      process.stderr(`port ${port} is in use\n`);
    }
  }
}
