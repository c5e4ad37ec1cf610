import type { KubeObject } from '../../../api/objects.ts';
import { nodes, pods, secrets, serviceAccounts } from '../../../api/resource.ts';
import type { Storage } from '../../../apiserver/storage/storage.ts';
import type { ClientCertificate, TokenClaims, VerifiedToken } from '../../../contracts/access/index.ts';
import { type CertificatePlan, ISSUER, type TokenPlan } from '../scenario/index.ts';

/** Issues the tokens of a run, and verifies their signatures. */
export class Issuer {
  /** The claims of each token, by its text. */
  readonly claims = new Map<string, TokenClaims | 'foreign' | 'forged'>();
  /** The texts of the tokens, by their names in the scenario. */
  readonly #texts = new Map<string, string>();
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Issues a token for the account and the object of these names as they are now, if they exist. */
  issue(token: string, plan: TokenPlan, nowMs: number): void {
    const text = `${token}.${this.claims.size}.signature`;
    this.#texts.set(token, text);
    this.claims.set(text, plan.flaw ?? this.#claims(plan, text, Math.floor(nowMs / 1_000)));
  }

  /** Replaces the names of tokens in braces by their texts. A name without a token stands for itself. */
  filledIn(header: string): string {
    return header.replace(/\{(\w+)\}/g, (_, name: string) => this.#texts.get(name) ?? name);
  }

  /** Returns the claims of the token with this name. */
  named(token: string): TokenClaims | undefined {
    const claims = this.claims.get(this.#texts.get(token) ?? '');
    return typeof claims === 'object' ? claims : undefined;
  }

  verify(text: string): VerifiedToken {
    const claims = this.claims.get(text);
    if (claims === undefined || claims === 'foreign') return { foreign: true };
    return claims === 'forged'
      ? { error: 'error verifying token: square/go-jose: error in cryptographic primitive' }
      : { claims };
  }

  #claims(
    { namespace, account, bound, audiences, seconds, laterSeconds = {}, withoutUid }: TokenPlan,
    jti: string,
    now: number,
  ): TokenClaims {
    const { nbf = 0, iat = 0 } = laterSeconds;
    const named = (name: string, object: KubeObject | undefined) => ({
      name,
      uid: object?.metadata.uid ?? `no-${name}`,
    });
    const find = { Pod: pods, Secret: secrets, Node: nodes } as const;
    const object =
      bound &&
      this.#storage.get(find[bound.kind], {
        name: bound.name,
        ...(bound.kind !== 'Node' && { namespace }),
      });
    const { nodeName } = (object as { spec?: { nodeName?: string } } | undefined)?.spec ?? {};
    return {
      iss: ISSUER,
      sub: `system:serviceaccount:${namespace}:${account}`,
      aud: audiences,
      iat: now + iat,
      nbf: now + nbf,
      exp: now + seconds,
      jti,
      'kubernetes.io': {
        namespace,
        serviceaccount:
          withoutUid === 'account'
            ? { name: account }
            : named(account, this.#storage.get(serviceAccounts, { namespace, name: account })),
        ...(bound && {
          [bound.kind.toLowerCase()]:
            withoutUid === 'bound' ? { name: bound.name } : named(bound.name, object),
        }),
        ...(bound?.kind === 'Pod' &&
          nodeName !== undefined && { node: named(nodeName, this.#storage.get(nodes, { name: nodeName })) }),
      },
    };
  }
}

/** Returns a client's certificate. */
export function certificateOf(plan: CertificatePlan, startMs: number): ClientCertificate {
  const { commonName, organizations, uids = [], flaw, untilMs } = plan;
  return {
    commonName,
    organizations,
    uids,
    fingerprint: `f${[commonName, ...organizations].join('-').length.toString(16).padStart(63, '0')}`,
    verify: (nowMs) => {
      if (flaw === 'unknown authority') return 'x509: certificate signed by unknown authority';
      if (flaw === 'server only') return 'x509: certificate specifies an incompatible key usage';
      if (flaw === 'not yet valid' || (untilMs !== undefined && nowMs > startMs + untilMs))
        return 'x509: certificate has expired or is not yet valid';
      return undefined;
    },
  };
}
