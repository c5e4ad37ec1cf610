import { errors } from '../../api/status.ts';

/**
 * Where a list goes on: after which key, and at which revision. Clients treat it as opaque, and so must ours.
 *
 * Upstream: kubernetes/apiserver@v0.30.0 pkg/storage/continue.go EncodeContinue
 */
interface ContinueToken {
  /** The revision of the first page; -1: go on at the newest, inconsistently. */
  readonly revision: number;
  /** The last key of the page before. */
  readonly after: string;
}

/** A continue token as text, opaque to clients: base64url of the JSON that upstream encodes. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\0` })).toString(
    'base64url',
  );
}

/** @throws StatusError BadRequest when it is none of ours */
export function decodeContinue(token: string): ContinueToken {
  const bad = (why: string): Error =>
    errors.badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let value: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    throw bad('it cannot be decoded');
  }
  if (value?.v !== 'meta.k8s.io/v1')
    throw bad(`server does not recognize this encoded version ${value?.v ?? ''}`);
  if (!Number.isInteger(value.rv) || value.rv === 0)
    throw bad('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof value.start !== 'string' || value.start === '')
    throw bad('encoded start key empty (version meta.k8s.io/v1)');
  return { revision: value.rv as number, after: value.start.replace(/\0$/, '') };
}
