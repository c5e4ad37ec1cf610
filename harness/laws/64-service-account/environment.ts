import type { ConfigMap, Secret } from '../../api/objects.ts';
import { configMaps, namespaces, secrets, serviceAccounts } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { LEGACY } from '../../contracts/service-accounts.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { NewToken, Operation } from './scenario.ts';

/** The published ConfigMap. */
export const CERTIFICATE = 'kube-root-ca.crt';
export const DESCRIPTION = 'kubernetes.io/description';

/** The certificate of the apiserver's authority in a run. */
export const ROOT_CA = 'the authority\n';

/** The users of namespaces, accounts and Secrets. */
export class Environment {
  readonly #stage: Stage;
  /** The uid of the last account that was deleted, by `namespace/name`. */
  readonly #stale = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#stage = new Stage(cluster);
  }

  async act(operation: Operation): Promise<void> {
    const namespace = operation.in;
    switch (operation.do) {
      case 'create':
        return this.createNamespace(namespace);
      case 'terminate':
        return this.#stage.act('user', 'delete', `namespaces/${namespace}`, (user) =>
          user.delete(namespaces, { name: namespace }),
        );
      case 'purge':
        return this.#purge(namespace);
      case 'join':
        return this.#join(namespace, operation.account);
      case 'leave':
        return this.#leave(namespace, operation.account);
      case 'replace':
        await this.#leave(namespace, operation.account);
        return this.#join(namespace, operation.account);
      case 'token':
        return this.#token(namespace, operation.token);
      case 'drop':
        return this.#stage.act('user', 'delete', `secrets/${namespace}/${operation.secret}`, (user) =>
          user.delete(secrets, { namespace, name: operation.secret }),
        );
      case 'spoil':
        return this.#spoil(namespace, operation.secret, operation.key);
      case 'edit':
        return this.#edit(namespace, operation.what);
    }
  }

  async createNamespace(name: string): Promise<void> {
    if (this.#phaseOf(name) !== undefined) return;
    await this.#stage.act('user', 'create', `namespaces/${name}`, (user) =>
      user.create(namespaces, { metadata: { name }, spec: {} }),
    );
  }

  #phaseOf(name: string): string | undefined {
    return this.#stage.list(namespaces).find(({ metadata }) => metadata.name === name)?.status.phase;
  }

  /** Plays the namespace controller. */
  async #purge(namespace: string): Promise<void> {
    if (this.#phaseOf(namespace) !== 'Terminating') return;
    await this.#stage.act('namespace-controller', 'purge', `namespaces/${namespace}`, async (client) => {
      for (const resource of [secrets, serviceAccounts, configMaps]) {
        await client.deleteCollection(resource as typeof secrets, { namespace });
      }
      const latest = await client.get(namespaces, { name: namespace });
      await client.finalize({ ...latest, spec: { ...latest.spec, finalizers: [] } });
    });
  }

  #uidOf(namespace: string, name: string): string | undefined {
    const all = this.#stage.list(serviceAccounts);
    return all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)?.metadata
      .uid;
  }

  async #join(namespace: string, name: string): Promise<void> {
    if (this.#phaseOf(namespace) !== 'Active' || this.#uidOf(namespace, name)) return;
    await this.#stage.act('user', 'create', `serviceaccounts/${namespace}/${name}`, (user) =>
      user.create(serviceAccounts, { metadata: { namespace, name }, secrets: [{ name: 'other' }] }),
    );
  }

  async #leave(namespace: string, name: string): Promise<void> {
    const uid = this.#uidOf(namespace, name);
    if (!uid) return;
    this.#stale.set(`${namespace}/${name}`, uid);
    await this.#stage.act('user', 'delete', `serviceaccounts/${namespace}/${name}`, (user) =>
      user.delete(serviceAccounts, { namespace, name }),
    );
  }

  #secret(namespace: string, name: string): Secret | undefined {
    const all = this.#stage.list(secrets);
    return all.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
  }

  async #token(namespace: string, { name, account, uid, has }: NewToken): Promise<void> {
    if (this.#phaseOf(namespace) !== 'Active' || this.#secret(namespace, name)) return;
    const named =
      uid === 'current' ? this.#uidOf(namespace, account) : this.#stale.get(`${namespace}/${account}`);
    const annotations = {
      note: 'mine',
      [LEGACY.account]: account,
      ...(uid !== 'none' && { [LEGACY.accountUID]: named ?? 'nobody' }),
    };
    await this.#stage.act('user', 'create', `secrets/${namespace}/${name}`, (user) =>
      user.create(secrets, {
        metadata: { namespace, name, annotations },
        type: LEGACY.type,
        data: { ...DATA[has] },
      }),
    );
  }

  async #spoil(namespace: string, name: string, key: string): Promise<void> {
    if (!this.#secret(namespace, name)) return;
    const value = key === 'ca.crt' ? btoa('old') : null;
    await this.#stage.act('user', 'spoil', `secrets/${namespace}/${name}`, (user) =>
      user.patch(secrets, { namespace, name }, { type: 'merge', body: { data: { [key]: value } } }),
    );
  }

  async #edit(namespace: string, what: Extract<Operation, { do: 'edit' }>['what']): Promise<void> {
    const key = { namespace, name: CERTIFICATE };
    const all: readonly ConfigMap[] = this.#stage.list(configMaps);
    if (!all.some(({ metadata }) => metadata.namespace === namespace && metadata.name === CERTIFICATE))
      return;
    await this.#stage.act('user', `edit ${what}`, `configmaps/${namespace}/${CERTIFICATE}`, (user) =>
      what === 'delete'
        ? user.delete(configMaps, key)
        : user.patch(configMaps, key, { type: 'merge', body: EDITS[what] }),
    );
  }
}

/** The data of a new Secret. */
const DATA: Readonly<Record<NewToken['has'], Secret['data']>> = {
  nothing: {},
  extra: { extra: btoa('mine') },
  authority: { 'ca.crt': btoa('old'), extra: btoa('mine') },
  token: { token: btoa('my.own.token') },
};

const EDITS = {
  certificate: { data: { 'ca.crt': 'edited' } },
  more: { data: { more: 'data' } },
  space: { data: { 'ca.crt': ROOT_CA.trimEnd() } },
  description: { metadata: { annotations: { [DESCRIPTION]: null, note: 'mine' } } },
  label: { metadata: { labels: { team: 'blue' }, annotations: { note: 'mine', [DESCRIPTION]: 'ours' } } },
} as const;
