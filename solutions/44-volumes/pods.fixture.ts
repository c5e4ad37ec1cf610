import type { core, New, Pod } from '#harness';
import { pods } from '#harness';
import { NODE, type VolumeNode } from '#laws/44-volumes';

/** Creates a pod with one container `main`, which mounts each volume at `/v/NAME`. */
export async function podWith(
  node: VolumeNode,
  name: string,
  volumes: readonly (core.Volume & { readonly mount?: Partial<core.VolumeMount> })[],
  metadata: Partial<Pod['metadata']> = {},
): Promise<Pod> {
  const mounts = volumes.map(({ name, mount }) => ({ name, mountPath: `/v/${name}`, ...mount }));
  const pod: New<Pod> = {
    metadata: { namespace: 'default', name, ...metadata },
    spec: {
      nodeName: NODE,
      serviceAccountName: 'default',
      volumes: volumes.map(({ mount: _, ...volume }) => volume),
      containers: [{ name: 'main', image: 'busybox', volumeMounts: mounts }],
    },
  };
  return node.cluster.admin.create(pods, pod);
}

/** Returns the error message of a call, or `did not fail`. */
export const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'did not fail',
    (error: Error) => error.message,
  );
