import type { New, StorageClass } from '../../api/objects.ts';
import { storageClasses } from '../../api/storage-class.ts';
import type { Client } from '../../contracts/client.ts';
import { ensure } from '../ensure.ts';

/**
 * The default class of a cluster of kind. Its volumes are directories of the pod's node.
 *
 * Upstream: kubernetes-sigs/kind@v0.31.0 pkg/build/nodeimage/const_storage.go defaultStorageManifest
 */
const STANDARD: New<StorageClass> = {
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'rancher.io/local-path',
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
};

/** Installs the default class of a cluster with the local path provisioner. The rights of the provisioner are in accounts.ts. */
export async function installStorageClass(client: Client): Promise<void> {
  await ensure(client, storageClasses, STANDARD);
}
