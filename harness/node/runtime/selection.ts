import type * as cri from '../../contracts/node/cri/index.ts';
import type { Container, Sandbox } from './sandbox.ts';
import type { RuntimeState } from './state.ts';

/** Returns the complete sandboxes that a filter selects, oldest first. */
export function selectSandboxes(
  { sandboxes }: RuntimeState,
  { id, state, labelSelector }: cri.PodSandboxFilter,
): readonly Sandbox[] {
  const candidates = id === undefined ? [...sandboxes.values()] : [sandboxes.get(id)];
  return candidates.filter(
    (each): each is Sandbox =>
      each?.listed === true &&
      (state ?? each.state) === each.state &&
      matchesLabels(each.config.labels, labelSelector),
  );
}

/** Returns the containers that a filter selects, oldest first. */
export function selectContainers(
  { containers, sandboxes }: RuntimeState,
  { id, state, podSandboxId, labelSelector }: cri.ContainerFilter,
): readonly Container[] {
  const candidates =
    id !== undefined
      ? [containers.get(id)]
      : podSandboxId !== undefined
        ? [...(sandboxes.get(podSandboxId)?.containers ?? containers.values())]
        : [...containers.values()];
  return candidates.filter(
    (each): each is Container =>
      each !== undefined &&
      (state ?? each.state) === each.state &&
      (podSandboxId ?? each.sandbox.id) === each.sandbox.id &&
      matchesLabels(each.config.labels, labelSelector),
  );
}

/** Whether a filter has no condition. */
export function selectsAll(filter: object): boolean {
  return Object.keys(filter).length === 0;
}

/** Whether the labels match all labels of the selector. */
function matchesLabels(
  labels: Readonly<Record<string, string>>,
  selector: Readonly<Record<string, string>> = {},
): boolean {
  for (const key in selector) if (labels[key] !== selector[key]) return false;
  return true;
}
