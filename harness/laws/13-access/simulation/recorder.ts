import { groupResource } from '../../../api/resource.ts';
import { StatusError } from '../../../api/status.ts';
import type {
  Access,
  AccessContext,
  Attributes,
  Authentication,
  Credentials,
  Decision,
  GrantWrite,
  Impersonation,
  NewAccess,
  TokenAuthentication,
  User,
  UserRules,
} from '../../../contracts/access/index.ts';
import type { Call, Refusal } from '../history.ts';
import { RBAC } from '../scenario/index.ts';
import { clusterScoped } from '../scenario/questions.ts';
import { contextWithout, reversedContext, type Target } from './context.ts';

/** Access control that records each call and its result. */
export class Recorder implements Access {
  readonly #access: Access;
  /** The same without the object of a request. */
  readonly #absent: Access;
  readonly #reversed: Access;
  readonly #record: (call: Call) => void;
  readonly #isCompared: (attributes: Attributes) => boolean;
  #hidden: Target | undefined;
  /** The questions that the rules of a user must answer. */
  #questions: readonly Omit<Attributes, 'user'>[] = [];

  /** @param isCompared whether a request is also decided in the other two contexts. @defaultValue each is */
  constructor(
    newAccess: NewAccess,
    context: AccessContext,
    record: (call: Call) => void,
    isCompared: (attributes: Attributes) => boolean = () => true,
  ) {
    this.#access = newAccess(context);
    this.#absent = newAccess(contextWithout(context, () => this.#hidden));
    this.#reversed = newAccess(reversedContext(context));
    this.#record = record;
    this.#isCompared = isCompared;
  }

  authenticate(credentials: Credentials): Authentication {
    const result = this.#access.authenticate(credentials);
    this.#record({ call: 'authenticate', credentials, result });
    return result;
  }

  authenticateToken(token: string, audiences: readonly string[]): TokenAuthentication {
    const result = this.#access.authenticateToken(token, audiences);
    this.#record({ call: 'authenticateToken', token, audiences, result });
    return result;
  }

  impersonate(user: User, asked: Impersonation): User {
    try {
      const result = this.#access.impersonate(user, asked);
      this.#record({ call: 'impersonate', user, asked, result });
      return result;
    } catch (error) {
      this.#record({ call: 'impersonate', user, asked, result: { refused: refusalOf(error) } });
      throw error;
    }
  }

  authorize(attributes: Attributes): Decision {
    const result = this.#access.authorize(attributes);
    if (!this.#isCompared(attributes)) {
      this.#record({ call: 'authorize', attributes, result });
      return result;
    }
    this.#hidden = hiddenFor(attributes);
    const ifAbsent = this.#hidden && this.#absent.authorize(attributes);
    const ifReversed = this.#reversed.authorize(attributes);
    this.#record({ call: 'authorize', attributes, result, ...(ifAbsent && { ifAbsent }), ifReversed });
    return result;
  }

  rulesFor(user: User, namespace: string): UserRules {
    const result = this.#access.rulesFor(user, namespace);
    const asked = this.#questions.map((question) => {
      const attributes = { ...question, user };
      return { attributes, allowed: this.#access.authorize(attributes).verdict === 'allow' };
    });
    this.#record({ call: 'rulesFor', user, namespace, result, asked });
    return result;
  }

  checkGrant(write: GrantWrite): void {
    try {
      this.#access.checkGrant(write);
      this.#record({ call: 'checkGrant', write });
    } catch (error) {
      this.#record({ call: 'checkGrant', write, refused: refusalOf(error) });
      throw error;
    }
  }

  /** Sets the questions that a review of rules is compared with. */
  compareWith(questions: readonly Omit<Attributes, 'user'>[]): void {
    this.#questions = questions;
  }
}

/** Returns the code and the message of a refusal. @throws the error if it is no Status */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof StatusError)) throw error;
  const { code, message = '' } = error.status;
  return { code: code ?? 0, message };
}

/** Returns the object of a request, unless the decision may depend on it. */
function hiddenFor({
  user,
  isResourceRequest,
  apiGroup,
  resource,
  namespace,
  name,
}: Attributes): Target | undefined {
  const isNode = user.groups.includes('system:nodes');
  if (isNode || !isResourceRequest || name === '' || apiGroup === RBAC) return undefined;
  const isCluster = clusterScoped.includes(resource);
  return {
    resource: groupResource({ group: apiGroup, plural: resource }),
    key: { name, ...(!isCluster && namespace !== '' && { namespace }) },
  };
}
