import type { Certificate } from './certificate.ts';
import { PURPOSE } from './extensions.ts';
import { commonNameOf, ORGANIZATION, valuesOfType } from './name.ts';
import { checkSignature } from './signature.ts';

interface VerifyOptions {
  /** The trusted authorities. */
  readonly roots: readonly Certificate[];
  /** Further certificates, which may be on the way to an authority. */
  readonly intermediates: readonly Certificate[];
  /** In ms since 1970. */
  readonly nowMs: number;
  /** An object identifier. */
  readonly purpose: string;
  /** @defaultValue {@link signatureProblem} */
  readonly checkedSignature?: typeof signatureProblem;
}

/**
 * Verifies a certificate: a chain of signatures leads to an authority, each certificate of the chain is valid at this
 * time, and all of them have the purpose.
 *
 * Upstream: Certificate.Verify in Go's standard library, crypto/x509
 *
 * Differs: constraints of names and policies are not checked. A certificate whose constraints are critical is refused.
 *
 * @returns the reason why it is not valid, in the words of Go; undefined if it is valid
 */
export function verify(leaf: Certificate, options: VerifyOptions): string | undefined {
  const problem = problemOf(leaf, [], options);
  if (problem !== undefined) return problem;
  const isRoot = options.roots.some(({ der }) => der.equals(leaf.der));
  const found = isRoot ? { chains: [[leaf]] } : chainsOf([leaf], options, { count: 0 });
  if (found.problem !== undefined) return found.problem;
  if (found.chains.some((chain) => isFor(options.purpose, chain))) return undefined;
  return 'x509: certificate specifies an incompatible key usage';
}

type Chain = readonly Certificate[];

interface Found {
  readonly chains: readonly Chain[];
  /** Explains why no chain was found. */
  readonly problem?: string;
}

/** The longest search. Upstream: maxChainSignatureChecks in Go's standard library, crypto/x509 */
const SIGNATURES_MAX = 100;

/** Finds the chains that continue this one up to an authority. */
function chainsOf(chain: Chain, options: VerifyOptions, signatures: { count: number }): Found {
  const last = chain.at(-1) as Certificate;
  const chains: Chain[] = [];
  let problem: string | undefined;
  let hint: string | undefined;
  const consider = (parent: Certificate, isRoot: boolean): void => {
    if (
      chain.some(
        (one) => one.subject.der.equals(parent.subject.der) && one.publicKey.equals(parent.publicKey),
      )
    ) {
      return;
    }
    if (++signatures.count > SIGNATURES_MAX) {
      problem = 'x509: signature check attempts limit reached while verifying certificate chain';
      return;
    }
    const forged = (options.checkedSignature ?? signatureProblem)(last, parent);
    problem = forged === undefined ? problemOf(parent, chain, { ...options, isRoot }) : problem;
    const why = forged ?? problem;
    if (why !== undefined) {
      hint ??= ` (possibly because of ${JSON.stringify(why)} while trying to verify candidate authority certificate ${JSON.stringify(titleOf(parent))})`;
      return;
    }
    if (isRoot) {
      chains.push([...chain, parent]);
      return;
    }
    const further = chainsOf([...chain, parent], options, signatures);
    problem = further.problem;
    chains.push(...further.chains);
  };
  for (const root of parentsOf(last, options.roots)) consider(root, true);
  for (const one of parentsOf(last, options.intermediates)) consider(one, false);
  if (chains.length > 0) return { chains };
  return { chains, problem: problem ?? `x509: certificate signed by unknown authority${hint ?? ''}` };
}

/** Returns the certificates that a certificate names as its issuer, the most promising ones first. */
function parentsOf({ issuer, extensions }: Certificate, all: Chain): Chain {
  const named = all.filter(({ subject }) => subject.der.equals(issuer.der));
  const rank = ({ extensions: { subjectKeyId } }: Certificate): number => {
    const { authorityKeyId } = extensions;
    if (!subjectKeyId && !authorityKeyId) return 0;
    if (!subjectKeyId || !authorityKeyId) return 1;
    return subjectKeyId.equals(authorityKeyId) ? 0 : 2;
  };
  return named.toSorted((a, b) => rank(a) - rank(b));
}

/** Upstream: Certificate.isValid in Go's standard library, crypto/x509 */
function problemOf(
  { extensions, notBeforeMs, notAfterMs }: Certificate,
  chain: Chain,
  { nowMs, isRoot }: Pick<VerifyOptions, 'nowMs'> & { readonly isRoot?: boolean },
): string | undefined {
  const { hasUnknownCritical, basicConstraints } = extensions;
  if (hasUnknownCritical) return 'x509: unhandled critical extension';
  const isEarly = nowMs < notBeforeMs;
  if (isEarly || nowMs > notAfterMs) {
    const [relation, limitMs] = isEarly ? ['before', notBeforeMs] : ['after', notAfterMs];
    const times = `current time ${goTime(nowMs)} is ${relation} ${goTime(limitMs as number)}`;
    return `x509: certificate has expired or is not yet valid: ${times}`;
  }
  if (chain.length === 0) return undefined;
  if (!isRoot && !basicConstraints?.isCa) {
    return 'x509: certificate is not authorized to sign other certificates';
  }
  const { pathLengthMax } = basicConstraints ?? {};
  if (pathLengthMax !== undefined && chain.length - 1 > pathLengthMax) {
    return 'x509: too many intermediates for path length constraint';
  }
  return undefined;
}

/**
 * Returns the reason why `parent` has not signed `child`; undefined if it has.
 *
 * Upstream: Certificate.CheckSignatureFrom in Go's standard library, crypto/x509
 */
export function signatureProblem(child: Certificate, parent: Certificate): string | undefined {
  const { version, publicKey } = parent;
  const { basicConstraints, keyUsage } = parent.extensions;
  const isCa = basicConstraints ? basicConstraints.isCa : version !== 3;
  if (!isCa || (keyUsage && keyUsage.length > 0 && !keyUsage.includes('certSign'))) {
    return 'x509: invalid signature: parent certificate cannot sign this kind of certificate';
  }
  try {
    checkSignature(publicKey, child, { allowsSha1: false });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/**
 * Returns whether each certificate has the purpose. A certificate that lists none has all.
 *
 * Upstream: checkChainForKeyUsage in Go's standard library, crypto/x509
 */
function isFor(purpose: string, chain: Chain): boolean {
  return chain.every(({ extensions: { purposes = [] } }) => {
    return purposes.length === 0 || purposes.includes(purpose) || purposes.includes(PURPOSE.any);
  });
}

const titleOf = ({ subject, serial }: Certificate): string =>
  commonNameOf(subject) || valuesOfType(subject, ORGANIZATION)[0] || `serial:${serial}`;

/** Go shows whole seconds: `2026-11-28T20:34:48Z` */
const goTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
