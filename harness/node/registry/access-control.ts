import type { Clock } from '../../sim/index.ts';
import { digestOf } from './oci.ts';
import {
  RegistryError,
  type Token,
  type TokenFormRequest,
  type TokenRequest,
  tokenUrl,
} from './registry-client.ts';

/** A token server of a registry. */
export interface TokenServer {
  /** Its URL, such as `https://auth.docker.io/token`. */
  readonly realm: string;
  /** Its name, such as `registry.docker.io`. */
  readonly service: string;
  /** Whether it answers 404 to POST, because it does not support forms. @defaultValue false */
  readonly getOnly?: boolean;
}

/** The authentication of clients: none, name and password with each request, or a token. */
export type Access = 'none' | 'basic' | TokenServer;

interface GivenToken {
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly expiresMs: number;
}

const TOKEN_SECONDS = 300;

/**
 * The permissions to read the repositories of a registry.
 *
 * Upstream: distribution/distribution@v3.0.0 docs/content/spec/auth/token.md, docs/content/spec/auth/oauth.md
 */
export class AccessControl {
  readonly #clock: Clock;
  readonly #access: Access;
  readonly #passwords: Map<string, string>;
  /** The accounts that may read a repository. A repository without an entry is public. */
  readonly #readers = new Map<string, ReadonlySet<string>>();
  readonly #tokens = new Map<string, GivenToken>();

  constructor(options: {
    readonly clock: Clock;
    readonly access: Access;
    readonly users: Readonly<Record<string, string>>;
  }) {
    this.#clock = options.clock;
    this.#access = options.access;
    this.#passwords = new Map(Object.entries(options.users));
  }

  get tokens(): TokenServer | undefined {
    return typeof this.#access === 'object' ? this.#access : undefined;
  }

  restrict(repository: string, users: readonly string[]): void {
    this.#readers.set(repository, new Set(users));
  }

  setPassword(user: string, password: string | undefined): void {
    if (password === undefined) this.#passwords.delete(user);
    else this.#passwords.set(user, password);
  }

  /** Returns the challenge for a client that may not read the repository; undefined if it may. */
  challenge(asked: {
    readonly repository: string;
    readonly authorization?: string | undefined;
  }): string | undefined {
    const { repository, authorization } = asked;
    if (this.#access === 'none') return undefined;
    if (this.#access === 'basic') {
      const user = this.userOf(authorization);
      if (user !== undefined && this.#mayRead(user, repository)) return undefined;
      return 'Basic realm="Registry"';
    }
    const scope = `repository:${repository}:pull`;
    const { realm, service } = this.#access;
    const challenge = `Bearer realm="${realm}",service="${service}",scope="${scope}"`;
    if (authorization === undefined) return challenge;
    const token = this.#tokenOf(authorization);
    if (!token) return `${challenge},error="invalid_token"`;
    return token.scopes.includes(scope) ? undefined : `${challenge},error="insufficient_scope"`;
  }

  /** Returns the account of a request; undefined if it is anonymous or invalid. */
  userOf(authorization: string | undefined): string | undefined {
    return this.#basicUser(authorization) ?? this.#tokenOf(authorization)?.user;
  }

  /**
   * Creates a token for those requested scopes that the client is allowed. A client without any allowed scope gets a
   * token without scopes.
   *
   * @throws RegistryError when the name or password is wrong
   */
  giveToken(request: TokenRequest | TokenFormRequest): Token {
    const form = 'grant' in request;
    if (form && this.tokens?.getOnly) throw refused(request, 404);
    const user = form ? this.#formUser(request) : this.#basicUser(request.authorization);
    const anonymous = !form && request.authorization === undefined;
    if (user === undefined && !anonymous) throw refused(request, 401);
    const scopes = request.scopes.filter((scope) => this.#mayRead(user, scope.split(':')[1] ?? ''));
    const token = digestOf(`${request.realm} ${this.#tokens.size}`).slice('sha256:'.length);
    this.#tokens.set(token, { user, scopes, expiresMs: this.#clock.now() + TOKEN_SECONDS * 1_000 });
    return { token, expiresInSeconds: TOKEN_SECONDS };
  }

  #mayRead(user: string | undefined, repository: string): boolean {
    const readers = this.#readers.get(repository);
    return readers === undefined || (user !== undefined && readers.has(user));
  }

  #tokenOf(authorization: string | undefined): GivenToken | undefined {
    const [scheme, value = ''] = authorization?.split(' ') ?? [];
    const token = scheme === 'Bearer' ? this.#tokens.get(value) : undefined;
    return token && token.expiresMs > this.#clock.now() ? token : undefined;
  }

  #basicUser(authorization: string | undefined): string | undefined {
    const [scheme, value = ''] = authorization?.split(' ') ?? [];
    if (scheme !== 'Basic') return undefined;
    const [user = '', ...password] = Buffer.from(value, 'base64').toString().split(':');
    return this.#passwords.get(user) === password.join(':') ? user : undefined;
  }

  /** Differs: the refresh token of an account is its password. */
  #formUser({ grant }: TokenFormRequest): string | undefined {
    if (grant.type === 'password') {
      return this.#passwords.get(grant.username) === grant.password ? grant.username : undefined;
    }
    return [...this.#passwords].find(([, password]) => password === grant.refreshToken)?.[0];
  }
}

function refused(request: TokenRequest | TokenFormRequest, status: number): RegistryError {
  const message = status === 401 ? 'incorrect username or password' : 'not found';
  const code = status === 401 ? 'UNAUTHORIZED' : 'NOT_FOUND';
  const form = 'grant' in request;
  return new RegistryError({
    method: form ? 'POST' : 'GET',
    url: form ? request.realm : tokenUrl(request),
    status,
    faults: [{ code, message }],
  });
}
