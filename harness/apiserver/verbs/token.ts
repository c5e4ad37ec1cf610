import type * as authentication from '#api/authentication/v1';
import { freezeObject } from '../../api/freeze.ts';
import type { KubeObject, ObjectKey, ObjectMeta, ServiceAccount } from '../../api/objects.ts';
import { nodes, pods, type Resource, secrets, serviceAccounts } from '../../api/resource.ts';
import { type Cause, errors } from '../../api/status.ts';
import type { ObjectClaim, TokenClaims } from '../../contracts/access/index.ts';
import type { TokenRequest, WriteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { decode } from '../decode.ts';
import { ISSUER } from '../service-account-tokens.ts';
import { invalid } from '../validation/field-error.ts';
import { admittedRequest } from './admitted.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { mustBeValid } from './store.ts';

/**
 * Creates a token for a service account: a JWT with its account, its audiences, its expiry, and the object that it is
 * bound to.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/storage/token.go TokenREST.Create
 */
export async function createToken(
  registry: Registry,
  key: ObjectKey,
  sent: authentication.TokenRequest,
  options: WriteOptions,
): Promise<TokenRequest> {
  const { namespace = '', name } = checkedKey(serviceAccounts, key);
  const { object } = decode<authentication.TokenRequest>(TOKEN_REQUESTS, sent, {
    fieldValidation: options.fieldValidation ?? 'Strict',
  });
  const write = { operation: 'CREATE', resource: serviceAccounts, subresource: 'token', options } as const;
  const request = registry.admission
    ? await admittedRequest(registry, { ...write, namespace, name }, object as KubeObject & typeof object)
    : object;
  const asked = request.metadata ?? {};
  mustMatch('name', asked.name, name, key);
  mustMatch('namespace', asked.namespace, namespace, key);
  const account = readNewest(registry, serviceAccounts, { namespace, name });
  const { uid } = account.metadata;
  if (asked.uid && asked.uid !== uid) {
    throw errors.conflict(
      CONFLICTING,
      name,
      `the UID in the token request (${asked.uid}) does not match the UID of the service account (${uid})`,
    );
  }
  const { boundObjectRef } = request.spec ?? {};
  const expirationSeconds = request.spec?.expirationSeconds ?? HOUR_SECONDS;
  const audiences = request.spec?.audiences?.length ? request.spec.audiences : [ISSUER];
  mustBeValid(TOKEN_REQUESTS, '', validateExpiration(expirationSeconds));
  const bound = boundObjectRef && boundTo(registry, account, boundObjectRef);
  const nowMs = registry.clock.now();
  return freezeObject({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { ...asked, name, namespace, uid, creationTimestamp: formatTime(nowMs) },
    spec: { audiences, expirationSeconds, ...(boundObjectRef && { boundObjectRef }) },
    status: {
      token: registry.tokens.sign(
        claims({ account, audiences, expirationSeconds, bound, nowMs, jti: registry.random.uuid() }),
      ),
      expirationTimestamp: formatTime(nowMs + expirationSeconds * 1_000),
    },
  });
}

const TOKEN_REQUESTS = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenRequest',
  plural: 'tokenrequests',
} as Resource;

/** The conflict has the kind in place of the resource, as upstream has by mistake. */
const CONFLICTING = { ...TOKEN_REQUESTS, plural: TOKEN_REQUESTS.kind };

const HOUR_SECONDS = 3_600;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/**
 * The kubelet requests this lifetime for the default token of a pod. Clients that never reload the token get a year.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go WarnOnlyBoundTokenExpirationSeconds
 */
const WARN_ONLY_SECONDS = HOUR_SECONDS + 7;

function mustMatch(
  field: 'name' | 'namespace',
  said: string | undefined,
  meant: string,
  key: ObjectKey,
): void {
  if (!said || said === meant) return;
  const detail = `must match the service account ${field} if specified`;
  mustBeValid(TOKEN_REQUESTS, key.name, [invalid(`metadata.${field}`, said, detail)]);
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/authentication/validation/validation.go ValidateTokenRequest */
function validateExpiration(seconds: number): Cause[] {
  const path = 'spec.expirationSeconds';
  if (seconds < 600) return [invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > 2 ** 32)
    return [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

type Named = Pick<ObjectMeta, 'name'> & Partial<Pick<ObjectMeta, 'uid'>>;

/** The object that a token is bound to, as in its claims. */
interface Bound {
  readonly pod?: Named;
  readonly node?: Named;
  readonly secret?: Named;
}

/** Finds the object to bind the token to. @throws StatusError NotFound, Conflict, BadRequest */
function boundTo(
  registry: Registry,
  { metadata: account }: ServiceAccount,
  { apiVersion = '', kind = '', name = '', uid }: authentication.BoundObjectReference,
): Bound {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const find = group === '' && Object.hasOwn(finders, kind) ? finders[kind] : undefined;
  const bound = find?.(registry, { account, name });
  if (!bound)
    throw errors.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  const found = bound.pod ?? bound.secret ?? bound.node;
  if (!uid || uid === found?.uid) return bound;
  throw errors.conflict(
    { group, plural: kind },
    name,
    `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
  );
}

/** Functions that find the bound object, by kind. */
const finders: Readonly<
  Record<
    string,
    (registry: Registry, asked: { readonly account: ObjectMeta; readonly name: string }) => Bound
  >
> = {
  Pod: (registry, { account, name }) => {
    const { namespace = '' } = account;
    const { metadata, spec } = readNewest(registry, pods, { namespace, name });
    if (spec.serviceAccountName !== account.name) {
      throw errors.badRequest(
        `cannot bind token for serviceaccount "${account.name}" to pod running with different serviceaccount name.`,
      );
    }
    if (!spec.nodeName) return { pod: metadata };
    // An unknown node is named without a uid.
    const node = registry.storage.get(nodes, { name: spec.nodeName })?.metadata ?? { name: spec.nodeName };
    return { pod: metadata, node };
  },
  Node: (registry, { name }) => ({ node: readNewest(registry, nodes, { name }).metadata }),
  Secret: (registry, { account: { namespace = '' }, name }) => ({
    secret: readNewest(registry, secrets, { namespace, name }).metadata,
  }),
};

interface ClaimsOptions {
  readonly account: ServiceAccount;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound: Bound | undefined;
  readonly nowMs: number;
  readonly jti: string;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go Claims */
function claims({ account, audiences, expirationSeconds, bound, nowMs, jti }: ClaimsOptions): TokenClaims {
  const { namespace = '', name } = account.metadata;
  const now = Math.floor(nowMs / 1_000);
  const isExtended =
    bound?.pod && expirationSeconds === WARN_ONLY_SECONDS && audiences.every((each) => each === ISSUER);
  return {
    aud: audiences,
    exp: now + (isExtended ? YEAR_SECONDS : expirationSeconds),
    iat: now,
    iss: ISSUER,
    jti,
    'kubernetes.io': {
      namespace,
      ...(bound?.node && { node: reference(bound.node) }),
      ...(bound?.pod && { pod: reference(bound.pod) }),
      ...(bound?.secret && { secret: reference(bound.secret) }),
      serviceaccount: reference(account.metadata),
      ...(isExtended && { warnafter: now + expirationSeconds }),
    },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function reference({ name, uid }: Named): ObjectClaim {
  return { name, ...(uid && { uid }) };
}
