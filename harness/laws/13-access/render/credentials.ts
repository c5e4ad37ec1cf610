import type { User } from '../../../contracts/access/index.ts';
import type { Identity } from '../oracle/identity.ts';
import { describeUser } from './history.ts';

export function describeExpected({ users, mayReject }: Identity): string {
  return [...users.map(describeUser), ...(mayReject ? ['a 401'] : [])].join(' or ');
}

export function describeCredentials(
  { certificate, token, hasInvalid, flaw, hasAny }: Identity,
  header: string | undefined,
): string {
  if (!hasAny)
    return header === undefined
      ? 'a request without credentials'
      : `a request with the header "${header}", which has no token,`;
  const valid = [
    certificate && `a certificate of ${certificate.name}`,
    token?.valid.certain && `a token of ${token.user?.name}`,
  ];
  const words = valid.filter(Boolean).join(' and ');
  return `a request with ${[words, hasInvalid && `invalid credentials${flaw === undefined ? '' : ` (certificate: ${flaw})`}`].filter(Boolean).join(' and ')}`;
}

/** Describes the difference between users of the same name and groups. */
export function userDifference(wanted: readonly User[], got: User | undefined): string {
  const [one] = wanted.filter(({ name }) => name === got?.name);
  if (!one || !got) return '';
  const facts = ({ uid, extra }: User): string => JSON.stringify({ uid, extra });
  return facts(one) === facts(got) ? '' : ` with ${facts(one)} instead of ${facts(got)}`;
}
