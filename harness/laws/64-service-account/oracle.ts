import type { ConfigMap, KubeObject, Namespace, Secret, ServiceAccount } from '../../api/objects.ts';
import { configMaps, namespaces, type Resource, secrets, serviceAccounts } from '../../api/resource.ts';
import { LEGACY } from '../../contracts/service-accounts.ts';
import { CERTIFICATE, DESCRIPTION } from './environment.ts';

/** The objects that the controllers are about. */
export interface Snapshot {
  readonly namespaces: readonly Namespace[];
  readonly accounts: readonly ServiceAccount[];
  readonly configMaps: readonly ConfigMap[];
  readonly secrets: readonly Secret[];
  /** The certificate of the apiserver's authority. */
  readonly rootCA: string;
}

/** Returns the objects that the controllers are about, given all objects of a resource. */
export function snapshotFrom(
  list: <T extends KubeObject>(resource: Resource<T>) => readonly T[],
  rootCA: string,
): Snapshot {
  return {
    namespaces: list(namespaces),
    accounts: list(serviceAccounts),
    configMaps: list(configMaps),
    secrets: list(secrets),
    rootCA,
  };
}

/** Returns the pending obligations of the controllers, as phrases that follow "has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  const active = snapshot.namespaces.filter(({ status }) => status.phase === 'Active');
  return [
    ...active.flatMap((namespace) => ofNamespace(namespace.metadata.name, snapshot)),
    ...snapshot.secrets.flatMap((secret) => ofSecret(secret, snapshot)),
  ];
}

function ofNamespace(namespace: string, { accounts, configMaps, rootCA }: Snapshot): readonly string[] {
  const account = accounts.find(({ metadata }) => isAt(metadata, namespace, 'default'));
  const published = configMaps.find(({ metadata }) => isAt(metadata, namespace, CERTIFICATE));
  const keys = Object.keys(published?.data ?? {}).join();
  const isRight =
    keys === 'ca.crt' &&
    published?.data?.['ca.crt'] === rootCA &&
    Boolean(published.metadata.annotations?.[DESCRIPTION]);
  return [
    ...(account ? [] : [`create account default in ${namespace}`]),
    ...(isRight ? [] : [`publish the certificate in ${namespace}`]),
  ];
}

function ofSecret(secret: Secret, { accounts, rootCA }: Snapshot): readonly string[] {
  const { namespace, name, annotations = {} } = secret.metadata;
  if (secret.type !== LEGACY.type) return [];
  const account = accountOf(secret, accounts);
  if (!account) return [`delete Secret ${namespace}/${name}, whose account does not exist`];
  const isFilled =
    secret.data?.['ca.crt'] === btoa(rootCA) &&
    Boolean(secret.data.namespace) &&
    Boolean(secret.data.token) &&
    annotations[LEGACY.accountUID] === account.metadata.uid;
  return isFilled ? [] : [`fill Secret ${namespace}/${name}`];
}

/** Returns the account that a Secret names, with the uid that it names. */
function accountOf(
  { metadata: { namespace = '', annotations = {} } }: Secret,
  accounts: readonly ServiceAccount[],
): ServiceAccount | undefined {
  const uid = annotations[LEGACY.accountUID];
  return accounts.find(
    ({ metadata }) =>
      isAt(metadata, namespace, annotations[LEGACY.account] ?? '') && (!uid || metadata.uid === uid),
  );
}

function isAt(
  metadata: { readonly namespace?: string; readonly name: string },
  namespace: string,
  name: string,
): boolean {
  return metadata.namespace === namespace && metadata.name === name;
}
