import type { Pod } from '../../../api/objects.ts';
import type { Call } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Returns the names of all containers, as kubectl lists them: `web, setup (init)`. */
function allNames({ spec }: Pod): string {
  const names = (all: readonly { readonly name: string }[] | undefined, suffix = ''): readonly string[] =>
    (all ?? []).map(({ name }) => `${name}${suffix}`);
  return [
    ...names(spec.containers),
    ...names(spec.ephemeralContainers, ' (ephem)'),
    ...names(spec.initContainers, ' (init)'),
  ].join(', ');
}

/**
 * Returns the container of `-c`, or else the default container of the pod, which is reported if the pod has several.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/util/podcmd/podcmd.go FindOrDefaultContainerByName
 *
 * @throws KubectlError when the pod has no such container
 */
export function containerOf(call: Pick<Call, 'io'>, pod: Pod, asked: string | undefined): string {
  const { spec, metadata } = pod;
  const all = [...spec.containers, ...(spec.ephemeralContainers ?? []), ...(spec.initContainers ?? [])];
  if (asked !== undefined && asked !== '') {
    if (all.some(({ name }) => name === asked)) return asked;
    throw new KubectlError(
      `container ${asked} is not valid for pod ${metadata.name} out of: ${allNames(pod)}`,
    );
  }
  const preferred = metadata.annotations?.[DEFAULT_CONTAINER];
  if (preferred && all.some(({ name }) => name === preferred)) return preferred;
  const [first] = spec.containers;
  const name = first?.name ?? '';
  if (all.length > 1) call.io.err(`Defaulted container "${name}" out of: ${allNames(pod)}\n`);
  return name;
}
