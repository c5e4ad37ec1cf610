import type { AuthConfig } from '../../contracts/node/cri/index.ts';
import type { Clock } from '../../sim/index.ts';
import { type RegistryClient, RegistryError, type TokenRequest } from '../registry/registry-client.ts';

/** Thrown when another attempt with these credentials is pointless. */
export class InvalidAuthorization extends Error {
  override readonly name = 'InvalidAuthorization';
}

/** The client's identity: a name and a password, or a token without a name. */
interface Credentials {
  readonly username: string;
  readonly secret: string;
}

interface Challenge {
  readonly scheme: 'bearer' | 'basic';
  readonly parameters: Readonly<Record<string, string>>;
}

interface CachedToken {
  readonly token: string;
  readonly expiresMs: number;
}

/** Dependencies of {@link Authorizer}. */
interface AuthorizerOptions {
  readonly client: RegistryClient;
  readonly clock: Clock;
  readonly auth: AuthConfig | undefined;
  readonly signal: AbortSignal;
}

/**
 * Authenticates the client to a registry, with the scheme that the registry requests. It lives for one pull.
 *
 * Upstream: containerd/containerd@v2.3.3 core/remotes/docker/authorizer.go dockerAuthorizer
 */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  /** The challenge of each registry, once the registry has sent one. */
  readonly #challenges = new Map<string, Challenge>();
  /** Tokens by host and scopes. */
  readonly #tokens = new Map<string, CachedToken>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  /**
   * Returns the authorization header for a registry; undefined if the registry has not requested one.
   * @throws RegistryError when the token server fails
   */
  async headerFor(host: string): Promise<string | undefined> {
    const challenge = this.#challenges.get(host);
    if (!challenge) return undefined;
    const credentials = credentialsFor(this.#options.auth, host);
    return challenge.scheme === 'basic' ? basic(credentials) : this.#bearer(host, challenge, credentials);
  }

  /**
   * Handles an answer with status 401.
   *
   * @param repeated - whether the registry rejected the same request before
   * @throws InvalidAuthorization when another attempt is pointless
   */
  refused(host: string, error: RegistryError, repeated: boolean): void {
    const challenge = parseChallenge(error.challenge);
    if (!challenge) throw new Error('failed to find supported auth scheme: not implemented');
    if (challenge.scheme === 'basic') {
      const { username, secret } = credentialsFor(this.#options.auth, host);
      if (username === '' || secret === '') {
        throw new InvalidAuthorization('authorization failed: no basic auth credentials');
      }
    }
    const why = challenge.parameters.error;
    if (why !== undefined && repeated) {
      throw new InvalidAuthorization(`server message: ${why}: authorization failed`);
    }
    if (why !== undefined) this.#tokens.clear();
    this.#challenges.set(host, challenge);
  }

  async #bearer(host: string, { parameters }: Challenge, credentials: Credentials): Promise<string> {
    const { realm = '', service = '', scope } = parameters;
    const scopes = scope?.split(' ') ?? [];
    const key = [host, ...scopes].join(' ');
    const { clock, signal } = this.#options;
    const cached = this.#tokens.get(key);
    if (cached && cached.expiresMs > clock.now()) return `Bearer ${cached.token}`;
    const { token, expiresInSeconds } = await this.#fetch({ realm, service, scopes, signal }, credentials);
    this.#tokens.set(key, { token, expiresMs: clock.now() + expiresInSeconds * 1_000 });
    return `Bearer ${token}`;
  }

  /**
   * Fetches a token: with a form if there is a secret, and again with a header if the server does not support the form.
   */
  async #fetch(request: TokenRequest, credentials: Credentials) {
    const { client } = this.#options;
    const { username, secret } = credentials;
    if (secret === '') {
      return client.getToken(request).catch(told('failed to fetch anonymous token'));
    }
    const grant =
      username === ''
        ? ({ type: 'refresh_token', refreshToken: secret } as const)
        : ({ type: 'password', username, password: secret } as const);
    return client
      .postToken({ ...request, grant })
      .catch((error) => {
        if (!knowsNoForm(error, username)) throw error;
        return client.getToken({ ...request, authorization: basic(credentials) });
      })
      .catch(told('failed to fetch oauth token'));
  }
}

function knowsNoForm(error: unknown, username: string): boolean {
  if (!(error instanceof RegistryError)) return false;
  return [400, 401, 404].includes(error.status) || (error.status === 405 && username !== '');
}

/** Rethrows an error with a prefix. For an error of a token server, the message contains only the status line. */
function told(words: string): (error: Error) => never {
  return (error) => {
    const why = error instanceof RegistryError ? error.statusLine : error.message;
    throw new Error(`${words}: ${why}`, { cause: error });
  };
}

function basic({ username, secret }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
}

/**
 * Returns the pod's credentials for this registry; empty if it has none.
 *
 * Upstream: containerd/containerd@v2.3.3 internal/cri/server/images/image_pull.go ParseAuth
 */
function credentialsFor(auth: AuthConfig | undefined, host: string): Credentials {
  const none = { username: '', secret: '' };
  if (!auth) return none;
  if (auth.serverAddress && !sameHost(auth.serverAddress, host)) return none;
  if (auth.username) return { username: auth.username, secret: auth.password ?? '' };
  if (auth.identityToken) return { username: '', secret: auth.identityToken };
  if (!auth.auth) return none;
  const decoded = Buffer.from(auth.auth, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon < 0) throw new Error(`invalid decoded auth: ${JSON.stringify(decoded)}`);
  return { username: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}

function sameHost(address: string, host: string): boolean {
  return URL.canParse(address) && new URL(address).host === host;
}

/** Parses the header `Www-Authenticate`. */
function parseChallenge(header = ''): Challenge | undefined {
  const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(header) ?? [];
  const scheme = word.toLowerCase();
  if (scheme !== 'bearer' && scheme !== 'basic') return undefined;
  const pairs = rest.matchAll(/(\w+)="([^"]*)"/g);
  return { scheme, parameters: Object.fromEntries(Array.from(pairs, ([, name, value]) => [name, value])) };
}
