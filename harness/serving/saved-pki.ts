import type { KubeObject, Secret } from '../api/objects.ts';
import { secrets } from '../api/resource.ts';
import type { StoredObject } from '../cluster/saved-state.ts';
import type { SavedPki } from './cluster-pki.ts';

const NAME = 'kubernetes-katas-pki';

/** Secrets of this type are only in files, never in a cluster. */
const TYPE = 'kubernetes-katas/pki';

/**
 * Returns the Secret that holds the keys of a cluster in its saved state. A real cluster has them in files of its
 * control plane.
 */
export function pkiSecret({ certificate, key, tokenKey }: SavedPki): KubeObject {
  const data = { 'ca.crt': certificate, 'ca.key': key, 'sa.key': tokenKey };
  const secret: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name: NAME, namespace: 'kube-system', uid: '00000000-0000-4000-8000-000000000000' },
      ...{ resourceVersion: '1', creationTimestamp: '1970-01-01T00:00:00Z' },
    },
    type: TYPE,
    data: Object.fromEntries(Object.entries(data).map(([file, text]) => [file, inBase64(text)])),
  };
  return secret;
}

/** Separates the keys from the objects of a saved state. A state from elsewhere has no keys. */
export function splitPki(saved: readonly StoredObject[]): {
  readonly objects: readonly StoredObject[];
  readonly pki?: SavedPki;
} {
  const found = saved.find(
    ({ resource, object }) => resource === secrets && (object as Secret).type === TYPE,
  );
  if (!found) return { objects: saved };
  const { data = {} } = found.object as Secret;
  const textOf = (file: string): string => Buffer.from(data[file] ?? '', 'base64').toString();
  return {
    objects: saved.filter((each) => each !== found),
    pki: { certificate: textOf('ca.crt'), key: textOf('ca.key'), tokenKey: textOf('sa.key') },
  };
}

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');
