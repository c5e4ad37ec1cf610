import { readFile } from 'node:fs/promises';
import type { ClusterStore } from '../cluster/component-store.ts';
import type { KeyValueStore } from '../contracts/store/index.ts';
import { EtcdStore } from '../etcd/etcd-store.ts';
import { ClusterPki, type SavedPki } from '../serving/cluster-pki.ts';
import { Failure } from './failure.ts';
import type { NamedFile } from './saved-file.ts';

/** The etcd of a cluster, as the user named it. */
export interface EtcdOption {
  /** `http://127.0.0.1:2379` */
  readonly url: string;
  /** Files in PEM. */
  readonly ca?: NamedFile | undefined;
  readonly cert?: NamedFile | undefined;
  readonly key?: NamedFile | undefined;
}

/** A cluster in an etcd. */
interface EtcdCluster extends Disposable {
  readonly store: ClusterStore;
  /** The keys of the cluster: those in etcd, or new ones that are there now. */
  readonly pki: ClusterPki;
}

/**
 * The place of the keys. It is outside of `/registry/`, so no request shows them.
 *
 * Differs: kubeadm keeps them in files.
 */
const PKI = '/kubernetes-katas/pki';

/**
 * Connects to an etcd. A cluster that has run on it before continues.
 *
 * @param nowMs in ms since 1970
 * @throws Failure when etcd does not answer, or a file cannot be read
 */
export async function clusterInEtcd(etcd: EtcdOption, nowMs: number): Promise<EtcdCluster> {
  const { url } = etcd;
  const opened = new EtcdStore(url, await certificatesOf(etcd));
  try {
    const pki = await pkiIn(opened, nowMs);
    return {
      store: { open: async () => opened, isOutside: true },
      pki,
      [Symbol.dispose]: () => opened.close(),
    };
  } catch (error) {
    opened.close();
    throw new Failure(
      'start the cluster',
      `etcd does not answer at ${url}: ${(error as Error).message}`,
      'Start etcd, or name its address: --etcd http://127.0.0.1:2379.',
    );
  }
}

async function pkiIn(store: KeyValueStore, nowMs: number): Promise<ClusterPki> {
  const { kvs } = await store.range({ key: PKI });
  const found = kvs[0] && (JSON.parse(kvs[0].value) as SavedPki);
  const pki = found ? ClusterPki.of(found, nowMs) : ClusterPki.create(nowMs);
  await store.transact({ then: [{ put: { key: PKI, value: JSON.stringify(pki.saved) } }] });
  return pki;
}

async function certificatesOf(files: EtcdOption) {
  const read = async (named: NamedFile | undefined): Promise<string | undefined> => {
    if (!named) return undefined;
    try {
      return await readFile(named.file, 'utf8');
    } catch (error) {
      throw new Failure(`read ${named.name}`, (error as Error).message, 'Name a file in PEM.');
    }
  };
  const [ca, cert, key] = [await read(files.ca), await read(files.cert), await read(files.key)];
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
