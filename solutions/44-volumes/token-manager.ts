import type { Client, Clock, core, Pod } from '#harness';

type Token = Awaited<ReturnType<Client['createToken']>>;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/token/token_manager.go maxTTL */
const OLDEST_MS = 24 * 60 * 60 * 1_000;

/**
 * Caches the tokens of the pods' service accounts. Requests a new token when the cached one is older than a day, or
 * than 80 % of its lifetime.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/token/token_manager.go Manager
 *
 * Differs: upstream requests up to ten seconds earlier, at random, so that the requests of many pods are spread out.
 */
export class TokenManager {
  readonly #client: Pick<Client, 'createToken'>;
  readonly #clock: Clock;
  readonly #tokens = new Map<string, Token>();

  constructor({ client, clock }: { readonly client: Pick<Client, 'createToken'>; readonly clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @throws Error when no valid token is cached and the request for a new one fails */
  async tokenFor(
    pod: Pod,
    { audience, expirationSeconds }: core.ServiceAccountTokenProjection,
  ): Promise<string> {
    const { name, namespace = '', uid } = pod.metadata;
    const { serviceAccountName = 'default' } = pod.spec;
    const key = [uid, serviceAccountName, audience ?? '', expirationSeconds ?? ''].join(' ');
    const known = this.#tokens.get(key);
    if (known && !this.#isOld(known)) return known.status.token;
    try {
      const fresh = await this.#client.createToken(
        { namespace, name: serviceAccountName },
        {
          spec: {
            audiences: audience ? [audience] : [],
            ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
            boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
          },
        },
      );
      this.#tokens.set(key, fresh);
      return fresh.status.token;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!known) throw new Error(`failed to fetch token: ${why}`, { cause: error });
      if (this.#clock.now() <= Date.parse(known.status.expirationTimestamp)) return known.status.token;
      throw new Error(`token ${key} expired and refresh failed: ${why}`, { cause: error });
    }
  }

  /** Drops the tokens of all other pods. */
  keepOnly(podUIDs: ReadonlySet<string>): void {
    for (const key of this.#tokens.keys()) {
      if (!podUIDs.has(key.split(' ', 1)[0] as string)) this.#tokens.delete(key);
    }
  }

  #isOld({ spec, status }: Token): boolean {
    const lifeMs = spec.expirationSeconds * 1_000;
    const endMs = Date.parse(status.expirationTimestamp);
    const now = this.#clock.now();
    return now > endMs - lifeMs + OLDEST_MS || now > endMs - lifeMs / 5;
  }
}
