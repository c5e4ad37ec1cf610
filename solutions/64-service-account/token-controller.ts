import {
  type Component,
  type ComponentContext,
  isConflict,
  isNotFound,
  lastKnown,
  messageOf,
  type Secret,
  type ServiceAccount,
  type SharedInformer,
  secrets,
  serviceAccounts,
} from '#harness';
import { filled, missingData, type TokenSecret, tokenSecretOf } from './token-secret.ts';

const WORKERS = 5;

/** Upstream: TokensControllerOptions.MaxRetries */
const RETRIES_MAX = 10;

/** Attempts to remove a reference, and the pause between them. Upstream: RemoveTokenBackoff */
const REFERENCE = { attempts: 10, pauseMs: 100 };

/** A service account as the queue remembers it after its deletion. */
type AccountKey = Pick<TokenSecret, 'namespace' | 'name' | 'uid'>;

/**
 * Fills the Secrets with a token that users create for service accounts, and deletes them with their account. It creates
 * no Secret.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/serviceaccount/tokens_controller.go TokensController
 */
export const serviceAccountTokenController: Component = (context) => new TokensController(context).run();

class TokensController {
  readonly #context: ComponentContext;
  readonly #accounts: SharedInformer<ServiceAccount>;
  readonly #secrets: SharedInformer<Secret>;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#accounts = context.informers.forResource(serviceAccounts);
    this.#secrets = context.informers.forResource(secrets);
  }

  async run(): Promise<void> {
    const { informers, newWorkQueue, runWorkers, log } = this.#context;
    // The keys are texts, so that equal keys are one item.
    const accountQueue = newWorkQueue<string>();
    const secretQueue = newWorkQueue<string>();
    const enqueueAccount = ({ metadata: { namespace = '', name, uid } }: ServiceAccount): void =>
      accountQueue.add(JSON.stringify({ namespace, name, uid } satisfies AccountKey));
    const enqueueSecret = (secret: Secret): void => {
      const key = tokenSecretOf(secret);
      if (key) secretQueue.add(JSON.stringify(key));
    };
    this.#accounts.addEventHandler({
      onAdd: enqueueAccount,
      onUpdate: (_old, account) => enqueueAccount(account),
      onDelete: (last) => enqueueAccount(lastKnown(last)),
    });
    this.#secrets.addEventHandler({
      onAdd: enqueueSecret,
      onUpdate: (_old, secret) => enqueueSecret(secret),
      onDelete: (last) => enqueueSecret(lastKnown(last)),
    });
    informers.start();
    await informers.waitForCacheSync();
    const common = {
      workers: WORKERS,
      maxRetries: RETRIES_MAX,
      onError: (error: unknown, key: string) => log(`The tokens of ${key} failed: ${messageOf(error)}`),
    };
    await Promise.all([
      runWorkers({ ...common, queue: accountQueue, sync: (key) => this.#syncAccount(JSON.parse(key)) }),
      runWorkers({ ...common, queue: secretQueue, sync: (key) => this.#syncSecret(JSON.parse(key)) }),
    ]);
  }

  /** Deletes the Secrets of an account that is gone. Upstream: TokensController.syncServiceAccount */
  async #syncAccount(key: AccountKey): Promise<void> {
    const { namespace, name, uid } = key;
    if (this.#cachedAccount(namespace, name, uid)) return;
    const failures: unknown[] = [];
    for (const secret of this.#secrets.indexer.byIndex('namespace', namespace)) {
      const token = tokenSecretOf(secret);
      if (token?.account !== name || token.accountUID !== uid) continue;
      await this.#delete(token).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(messageOf).join(', '));
  }

  /**
   * Fills a Secret, or deletes it.
   *
   * Upstream: TokensController.syncSecret
   *
   * Differs: the account of a new token is read from the server. Upstream uses the account of the cache if there is one,
   * and a late cache leads to a token of a deleted account.
   */
  async #syncSecret(key: TokenSecret): Promise<void> {
    const { namespace, name, uid, account, accountUID } = key;
    const cached = this.#secrets.indexer.getByKey(`${namespace}/${name}`);
    if (cached?.metadata.uid !== uid) {
      if (this.#cachedAccount(namespace, account, accountUID)) await this.#removeReference(key);
      return;
    }
    const known = this.#cachedAccount(namespace, account, accountUID);
    if (known && !missingData(cached, known, this.#context.keys)) return;
    // The cache can lack a new account, and can still have a deleted one.
    const stored = await this.#storedAccount(namespace, account, accountUID);
    if (stored) await this.#fill(cached, stored);
    else await this.#delete(key);
  }

  #cachedAccount(namespace: string, name: string, uid: string): ServiceAccount | undefined {
    const account = this.#accounts.indexer.getByKey(`${namespace}/${name}`);
    return account && isSame(account, uid) ? account : undefined;
  }

  /** Returns the account from the server. */
  async #storedAccount(namespace: string, name: string, uid: string): Promise<ServiceAccount | undefined> {
    const { client, signal } = this.#context;
    try {
      const account = await client.get(serviceAccounts, { namespace, name }, { signal });
      return isSame(account, uid) ? account : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Adds the missing data to a Secret. Upstream: TokensController.generateTokenIfNeeded */
  async #fill(cached: Secret, account: ServiceAccount): Promise<void> {
    const { client, keys, signal } = this.#context;
    if (!missingData(cached, account, keys)) return;
    const { namespace = '', name, resourceVersion } = cached.metadata;
    try {
      const stored = await client.get(secrets, { namespace, name }, { signal });
      // The event of the newer version leads to another sync.
      if (stored.metadata.resourceVersion !== resourceVersion) return;
      const missing = missingData(stored, account, keys);
      if (missing) await client.update(secrets, filled(stored, account, missing), { signal });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  async #delete({ namespace, name, uid }: TokenSecret): Promise<void> {
    const { client, signal } = this.#context;
    try {
      await client.delete(secrets, { namespace, name }, { preconditions: { uid }, signal });
    } catch (error) {
      // The Secret is gone, or another Secret has its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /**
   * Removes the name of a deleted Secret from its account.
   *
   * Upstream: TokensController.removeSecretReference
   */
  async #removeReference({ namespace, name, account, accountUID }: TokenSecret): Promise<void> {
    const { client, clock, random, log, signal } = this.#context;
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await this.#storedAccount(namespace, account, accountUID);
        const left = stored?.secrets?.filter((each) => each.name !== name);
        if (!stored || left?.length === stored.secrets?.length) return;
        await client.update(serviceAccounts, { ...stored, secrets: left ?? [] }, { signal });
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt === REFERENCE.attempts) {
          return log(`The reference to Secret ${name} is not removed: ${messageOf(error)}`);
        }
        await clock.sleep(REFERENCE.pauseMs * (1 + random.float()), signal);
      }
    }
  }
}

/** Returns whether an account has this uid. Each account has an empty one. */
const isSame = ({ metadata }: ServiceAccount, uid: string): boolean => uid === '' || metadata.uid === uid;
