import { errors } from '../../api/status.ts';
import type { Access, Attributes, Authentication, NewAccess, User } from '../../contracts/access/index.ts';
import { forbidden } from '../../contracts/access/index.ts';
import { ANONYMOUS, userNamed } from '../users.ts';

interface Script {
  /** Decides about a request. @defaultValue all are allowed */
  readonly may?: (attributes: Attributes) => boolean;
  /** The error of the authorizer, if it has one. */
  readonly error?: string;
}

/** `get pods/log default/web`, or `get /healthz` */
export const inWords = ({
  verb,
  isResourceRequest,
  path,
  resource,
  subresource,
  namespace,
  name,
}: Attributes) =>
  isResourceRequest
    ? `${verb} ${resource}${subresource && `/${subresource}`} ${namespace}/${name}`
    : `${verb} ${path}`;

/**
 * An access control of one decision: certificates and static tokens identify users, and every user may act as any other
 * who is not `root`. It records the requests that it decides about, with their users.
 */
export function scriptedAccess({ may = () => true, error }: Script = {}): {
  readonly access: NewAccess;
  readonly asked: string[];
} {
  const asked: string[] = [];
  const access: NewAccess = ({ clock, configuration }) => {
    const ofToken = (token: string): User | undefined => {
      const { claims } = { claims: undefined, ...configuration.verifyToken(token) };
      return configuration.staticTokens.get(token) ?? (claims && userNamed(claims.sub));
    };
    return {
      authenticate({ certificate, authorization }): Authentication {
        const problems: string[] = [];
        if (certificate) {
          const problem = certificate.verify(clock.now());
          if (problem === undefined) {
            return { user: { name: certificate.commonName, groups: certificate.organizations } };
          }
          problems.push(problem);
        }
        const token = authorization?.startsWith('Bearer ')
          ? authorization.slice('Bearer '.length)
          : undefined;
        const user = token === undefined ? undefined : ofToken(token);
        if (user) return { user };
        if (token !== undefined) problems.push('invalid bearer token');
        return problems.length > 0 ? { rejected: problems } : { user: userNamed(ANONYMOUS) };
      },
      authenticateToken(token, audiences) {
        const user = ofToken(token);
        return user ? { user, audiences } : { rejected: ['invalid bearer token', 'it is unknown'] };
      },
      impersonate(user, { user: name, uid, groups, extra }) {
        if (name === '') throw errors.badRequest('no user');
        const attributes: Attributes = {
          ...{ user, verb: 'impersonate', isResourceRequest: true, path: '', apiGroup: '', apiVersion: 'v1' },
          ...{ namespace: '', resource: 'users', subresource: '', name },
        };
        if (name === 'root') throw forbidden(attributes);
        return { name, ...(uid && { uid }), groups, extra };
      },
      authorize(attributes) {
        asked.push(`${attributes.user.name}: ${inWords(attributes)}`);
        if (error !== undefined) return { verdict: 'no opinion', error };
        return may(attributes) ? { verdict: 'allow' } : { verdict: 'no opinion', reason: 'the script' };
      },
      rulesFor: () => ({
        rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
        incomplete: true,
        errors: ['a role is missing'],
      }),
      checkGrant: () => {},
    } satisfies Access;
  };
  return { access, asked };
}
