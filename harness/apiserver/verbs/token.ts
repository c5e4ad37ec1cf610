import { createHmac } from 'node:crypto';
import type * as authentication from '#api/authentication/v1';
import { freezeObject } from '../../api/freeze.ts';
import type { ObjectKey, ObjectMeta, ServiceAccount } from '../../api/objects.ts';
import { nodes, pods, type Resource, secrets, serviceAccounts } from '../../api/resource.ts';
import { type Cause, errors } from '../../api/status.ts';
import type { TokenRequest, WriteOptions } from '../../contracts/client.ts';
import { formatTime } from '../../sim/index.ts';
import { decode } from '../decode.ts';
import { invalid } from '../validation/field-error.ts';
import { checkedKey, type Registry, readNewest } from './registry.ts';
import { mustBeValid } from './store.ts';

/**
 * Gives a token for a service account: a JWT that says whose it is, for which audiences, until when, and with which object it
 * ends.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/storage/token.go TokenREST.Create
 *
 * Differs: it is signed with a secret that stands here (HS256), and not with the key of a cluster (RS256): a reader of it can
 * see what is in it, and nothing is proved by it.
 */
export async function createToken(
  registry: Registry,
  key: ObjectKey,
  sent: authentication.TokenRequest,
  options: WriteOptions,
): Promise<TokenRequest> {
  const { namespace = '', name } = checkedKey(serviceAccounts, key);
  const { object: request } = decode<authentication.TokenRequest>(TOKEN_REQUESTS, sent, {
    fieldValidation: options.fieldValidation ?? 'Strict',
  });
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
      token: signed(
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

/** In a conflict the kind stands for the resource: upstream's slip. */
const CONFLICTING = { ...TOKEN_REQUESTS, plural: TOKEN_REQUESTS.kind };

/** The API itself: what a token is for that names no audience. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

const HOUR_SECONDS = 3_600;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/**
 * By this number the kubelet asks for the token that a pod has by default. Clients that never read it again have a year.
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

/** What a token is bound to, as its claims say it. */
interface Bound {
  readonly pod?: Named;
  readonly node?: Named;
  readonly secret?: Named;
}

/** Finds what the token is to be bound to. @throws StatusError NotFound, Conflict, BadRequest */
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

/** By kind, how that to which a token is bound is found. */
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
    // A node that is not known is named all the same.
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

/** What a token says. */
export interface Claims {
  readonly aud: readonly string[];
  /** Seconds since 1970, as the other times. */
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly iss: string;
  readonly jti: string;
  readonly sub: string;
  readonly 'kubernetes.io': Bound & {
    readonly namespace: string;
    readonly serviceaccount: Named;
    readonly warnafter?: number;
  };
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/serviceaccount/claims.go Claims */
function claims({ account, audiences, expirationSeconds, bound, nowMs, jti }: ClaimsOptions): Claims {
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

function reference({ name, uid }: Named): Named {
  return { name, ...(uid && { uid }) };
}

function signed(payload: Claims): string {
  const parts = [{ alg: 'HS256', kid: 'kubernetes-katas' }, payload];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${signatureOf(text)}`;
}

/** What a token says that was given here; undefined for any other text. */
export function readToken(token: string): Claims | undefined {
  const [header, payload = '', signature, ...rest] = token.split('.');
  if (rest.length > 0 || signature !== signatureOf(`${header}.${payload}`)) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

function signatureOf(text: string): string {
  return createHmac('sha256', SIGNING_KEY).update(text).digest('base64url');
}

const SIGNING_KEY = 'This key proves nothing.';
