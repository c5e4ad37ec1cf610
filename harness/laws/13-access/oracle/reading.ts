import type { Attributes, Decision, User } from '../../../contracts/access/index.ts';
import type { AccessHistory, Call, HistoryEntry } from '../history.ts';
import { describeCredentials, describeExpected, userDifference } from '../render/credentials.ts';
import { describeQuestion, describeUser } from '../render/history.ts';
import { RBAC } from '../scenario/index.ts';
import { closureAt, judgeGrant, onlyForCollector, questionOf } from './grants.ts';
import {
  ANONYMOUS,
  actedAs,
  authenticated,
  type Identity,
  identify,
  impersonationRights,
  isMaster,
  isNode,
  isSame,
  judgeToken,
  type Moment,
  type TokenVerdict,
} from './identity.ts';
import { judgeList } from './lists.ts';
import { allowedToNode } from './nodes.ts';
import { ALWAYS, allowedByRoles, type Chance, either, flawOf, hasMissingRole, NEVER } from './rights.ts';
import { type LawName, Verdicts } from './verdicts.ts';
import { World } from './world.ts';

type Entry<C extends Call['call']> = Extract<HistoryEntry, { readonly call: C }>;

const readings = new WeakMap<AccessHistory, Verdicts>();

/** Judges a history once for all laws. */
export function readingOf(history: AccessHistory): Verdicts {
  const known = readings.get(history);
  if (known) return known;
  const verdicts = new Reader(history).read();
  readings.set(history, verdicts);
  return verdicts;
}

class Reader {
  readonly #history: AccessHistory;
  readonly #world: World;
  readonly #verdicts = new Verdicts();
  /** The last answer to each question of each user, and whether roles or bindings have changed it since. */
  readonly #answers = new Map<string, boolean>();
  /** The last request that was authorized. */
  #request: Attributes | undefined;

  constructor(history: AccessHistory) {
    this.#history = history;
    this.#world = new World(history.log);
  }

  read(): Verdicts {
    for (const entry of this.#history.entries) {
      this.#verdicts.at(entry.atMs);
      const moment = { ...entry, nowMs: this.#history.startMs + entry.atMs };
      switch (entry.call) {
        case 'authenticate':
          this.#authenticated(entry, moment);
          break;
        case 'authenticateToken':
          this.#reviewed(entry, moment);
          break;
        case 'impersonate':
          this.#impersonated(entry, moment);
          break;
        case 'authorize':
          this.#request = entry.attributes;
          this.#authorized(entry, moment);
          break;
        case 'rulesFor':
          this.#listed(entry, moment);
          break;
        case 'checkGrant':
          this.#granted(entry, moment);
      }
    }
    return this.#verdicts;
  }

  /** Returns whether the authorizers allow a request. */
  #allowed(asked: Attributes, moment: Moment): Chance {
    const { user } = asked;
    if (isMaster(user)) return ALWAYS;
    const { authorizers } = this.#history.configuration;
    const node = authorizers.includes('Node') ? allowedToNode(this.#world, asked, moment) : NEVER;
    return authorizers.includes('RBAC')
      ? either(node, allowedByRoles(this.#world, user, asked, moment))
      : node;
  }

  #authenticated({ credentials, result }: Entry<'authenticate'>, moment: Moment): void {
    const { claims, configuration } = this.#history;
    const verdicts = this.#verdicts;
    const wanted = identify(this.#world, claims, credentials, configuration, moment);
    const user = 'user' in result ? result.user : undefined;
    const { token, certificate } = wanted;
    this.#meetAuthentication(wanted);
    if (user ? wanted.users.some((each) => isSame(each, user)) : wanted.mayReject) return;
    if (token && !certificate && this.#judgedByToken(token, user)) return;
    const got = user
      ? describeUser(user)
      : `a 401 (${(result as { rejected: readonly string[] }).rejected.join(', ')})`;
    const expected = describeExpected(wanted);
    const isAboutAnonymous =
      !user || user.name === ANONYMOUS.name || wanted.users.some(({ name }) => name === ANONYMOUS.name);
    const law: LawName = isAboutAnonymous && !certificate ? 'neverAnonymous' : 'rightUser';
    verdicts.break(
      law,
      `${describeCredentials(wanted, credentials.authorization)} led to ${got}; expected ${expected}${userDifference(wanted.users, user)}`,
    );
  }

  #meetAuthentication({ token, certificate, hasInvalid, hasAny, mayReject, users }: Identity): void {
    const verdicts = this.#verdicts;
    if (certificate && token) verdicts.meet('rightUser');
    if (hasInvalid && mayReject && users.length === 0) verdicts.meet('neverAnonymous');
    if (!hasAny) return;
    if (token && !certificate) this.#meetToken(token);
  }

  #meetToken({ valid, why, user }: TokenVerdict): void {
    if (user === undefined || user.extra === undefined) return;
    if (valid.certain) this.#verdicts.meet('worksUntilThen');
    else if (!valid.possible) this.#verdicts.meet(why === 'audience' ? 'rightAudience' : 'outlivesNothing');
  }

  /** Judges the answer about a request with a token. Returns whether it is a violation that the token explains. */
  #judgedByToken({ valid, user, why, because }: TokenVerdict, got: User | undefined): boolean {
    const verdicts = this.#verdicts;
    if (user?.extra === undefined) return false;
    if (got?.name === user.name && !valid.possible) {
      verdicts.break(
        why === 'audience' ? 'rightAudience' : 'outlivesNothing',
        `the token of ${user.name} was accepted, but ${because}`,
      );
      return true;
    }
    if (!got && valid.certain) {
      verdicts.break(
        'worksUntilThen',
        `the token of ${user.name} was rejected, but ${because}, and its time has not ended`,
      );
      return true;
    }
    return false;
  }

  #reviewed({ token, audiences, result }: Entry<'authenticateToken'>, moment: Moment): void {
    const verdict = judgeToken(this.#world, this.#history.claims, token, audiences, moment);
    this.#meetToken(verdict);
    const got = 'user' in result ? result : undefined;
    if (this.#judgedByToken(verdict, got?.user)) return;
    const verdicts = this.#verdicts;
    const named = verdict.user?.name ?? 'nobody';
    if (got && !verdict.valid.possible) {
      const law = verdict.why === 'unknown' ? 'neverAnonymous' : 'rightAudience';
      verdicts.break(
        law,
        `a review accepted the token of ${named} for ${audiences.join(', ')}, but ${verdict.because}`,
      );
    } else if (!got && verdict.valid.certain) {
      verdicts.break(
        'rightAudience',
        `a review rejected the token of ${named} for ${audiences.join(', ')}, but ${verdict.because}`,
      );
    } else if (got && got.audiences.toSorted().join() !== verdict.audiences.toSorted().join()) {
      verdicts.break(
        'rightAudience',
        `a review of the token of ${named} returned the audiences ${got.audiences.join(', ') || 'none'}; expected ${verdict.audiences.join(', ')}: the token and the review share these`,
      );
    } else if (got && verdict.user && !isSame(got.user, authenticated(verdict.user))) {
      verdicts.break(
        'rightUser',
        `a review returned the user ${describeUser(got.user)}; expected ${describeUser(authenticated(verdict.user))}`,
      );
    }
  }

  #impersonated({ user, asked, result }: Entry<'impersonate'>, moment: Moment): void {
    const verdicts = this.#verdicts;
    const refused = 'refused' in result ? result.refused : undefined;
    if (asked.user === '') {
      if (refused?.code === 400) return;
      const got = refused ? `a ${refused.code}` : describeUser(result as User);
      verdicts.break('noImpersonation', `impersonation without a user led to ${got}; expected a 400`);
      return;
    }
    const rights = impersonationRights(asked).map((question) => ({
      question,
      chance: this.#allowed({ ...question, user }, moment),
    }));
    const lacking = rights.find(({ chance }) => !chance.possible);
    if (lacking) verdicts.meet('noImpersonation');
    else if (!isMaster(user) && rights.every(({ chance }) => chance.certain)) verdicts.meet('actsAs');
    if (!refused && lacking) {
      verdicts.break(
        'noImpersonation',
        `${describeUser(user)} acts as ${asked.user}, but may not ${describeQuestion(lacking.question)}`,
      );
    } else if (refused && rights.every(({ chance }) => chance.certain)) {
      verdicts.break(
        'actsAs',
        `${describeUser(user)} has the right to each part of ${asked.user}, but got a ${refused.code}: ${refused.message}`,
      );
    } else if (refused && refused.code !== 403) {
      verdicts.break(
        'noImpersonation',
        `an impersonation without the right led to a ${refused.code}; expected a 403`,
      );
    } else if (!refused && !isSame(result as User, actedAs(asked))) {
      verdicts.break(
        'actsAs',
        `${user.name} acts as ${JSON.stringify(result)}; expected ${JSON.stringify(actedAs(asked))}`,
      );
    }
  }

  #authorized(
    { attributes, result, ifAbsent, ifReversed, stored, revision }: Entry<'authorize'>,
    moment: Moment,
  ): void {
    const { user } = attributes;
    const verdicts = this.#verdicts;
    const isAllowed = result.verdict === 'allow';
    const wanted = this.#allowed(attributes, moment);
    const words = `${describeUser(user)} ${isAllowed ? 'may' : 'may not'} ${describeQuestion(attributes)}`;
    const isQuiet = moment.position === revision;
    const key = `${JSON.stringify(user)} ${describeQuestion(attributes)}`;
    const before = this.#answers.get(key);
    const hasChanged = isQuiet && before !== undefined && before !== wanted.certain;
    if (isQuiet) this.#answers.set(key, wanted.certain);
    const namespace = attributes.isResourceRequest ? attributes.namespace : '';
    const isMissing = !isMaster(user) && hasMissingRole(this.#world, user, namespace, moment);
    if (hasChanged) verdicts.meet('prompt');
    if (isMissing && wanted.certain) verdicts.meet('missingRoles');
    if (isNode(user)) verdicts.meet(wanted.possible ? 'nodesRead' : 'nodesOnly');
    else if (isMaster(user)) verdicts.meet('masters');
    else verdicts.meet(wanted.possible ? 'complete' : 'sound');
    this.#decided(attributes, { isAllowed, wanted, hasChanged, isMissing, words, result });
    this.#compared(attributes, result, { ...(ifAbsent && { ifAbsent }), ...(ifReversed && { ifReversed }) });
    const flaw = flawOf(result.reason ?? '', this.#world, { user, namespace, window: moment });
    if (flaw) verdicts.break('missingRoles', `${words}: ${flaw}`);
    if (stored && attributes.verb !== 'delete' && !isMaster(user) && attributes.apiGroup === RBAC)
      verdicts.break(
        'noEscalation',
        `${describeUser(user)} wrote ${attributes.resource} without a check of its rights`,
      );
  }

  #decided(
    { user }: Attributes,
    {
      isAllowed,
      wanted,
      hasChanged,
      isMissing,
      words,
      result,
    }: {
      isAllowed: boolean;
      wanted: Chance;
      hasChanged: boolean;
      isMissing: boolean;
      words: string;
      result: Decision;
    },
  ): void {
    const verdicts = this.#verdicts;
    if (result.error !== undefined)
      verdicts.break(
        isMissing ? 'missingRoles' : 'complete',
        `the authorization failed with "${result.error}"; expected a decision`,
      );
    if (isAllowed && !wanted.possible) {
      const law = isNode(user) ? 'nodesOnly' : hasChanged ? 'prompt' : 'sound';
      verdicts.break(law, `${words}, but no rule allows it`);
      if (law === 'prompt') verdicts.break('sound', `${words}, but no rule allows it any more`);
    }
    if (!isAllowed && wanted.certain) {
      const law = isMaster(user)
        ? 'masters'
        : isNode(user)
          ? 'nodesRead'
          : hasChanged
            ? 'prompt'
            : 'complete';
      const why = isMaster(user) ? 'system:masters may do everything' : 'a rule allows it';
      verdicts.break(
        law,
        `${words} ("${result.verdict}"${result.reason ? `: ${result.reason}` : ''}), but ${why}`,
      );
      if (law === 'prompt') verdicts.break('complete', `${words}, but a rule allows it now`);
      if (isMissing)
        verdicts.break(
          'missingRoles',
          `${words}, but a rule of another binding than that of the missing role allows it`,
        );
    }
  }

  /** Compares a decision with the decisions in two other contexts: all must be the same. */
  #compared(
    attributes: Attributes,
    { verdict, reason }: Decision,
    { ifAbsent, ifReversed }: { ifAbsent?: Decision; ifReversed?: Decision },
  ): void {
    const verdicts = this.#verdicts;
    const words = `${describeUser(attributes.user)}: ${describeQuestion(attributes)}`;
    if (ifAbsent) {
      if (verdict !== 'allow') verdicts.meet('silent');
      if (ifAbsent.verdict !== verdict || ifAbsent.reason !== reason) {
        const of = (decision: Decision): string =>
          `"${decision.verdict}${decision.reason ? `: ${decision.reason}` : ''}"`;
        verdicts.break(
          'silent',
          `${words} led to ${of({ verdict, ...(reason !== undefined && { reason }) })}, and to ${of(ifAbsent)} without the object`,
        );
      }
    }
    if (ifReversed) {
      if (verdict === 'allow' && !isMaster(attributes.user)) verdicts.meet('anyOrder');
      if ((ifReversed.verdict === 'allow') !== (verdict === 'allow'))
        verdicts.break(
          'anyOrder',
          `${words} led to "${verdict}", and to "${ifReversed.verdict}" with the bindings and rules in the opposite order`,
        );
    }
  }

  #listed(entry: Entry<'rulesFor'>, moment: Moment): void {
    judgeList(this.#world, this.#history.configuration, entry, { moment, verdicts: this.#verdicts });
  }

  #granted({ write, refused, stored }: Entry<'checkGrant'>, moment: Moment): void {
    const { user, object, resource } = write;
    const verdicts = this.#verdicts;
    const law: LawName = isNode(user) ? 'nodesOnly' : 'noEscalation';
    const name = `${resource.plural} "${object.metadata.name}"`;
    if (isMaster(user)) {
      if (refused) verdicts.break('masters', `system:masters may write ${name}, but got: ${refused.message}`);
      return;
    }
    const { mayPass, mayFail, isExempt, lacks, codes } = judgeGrant(this.#world, write, {
      window: moment,
      request: this.#request,
      allowed: (who, question) => this.#allowed({ ...question, user: who }, moment),
    });
    if (!mayPass) verdicts.meet(law);
    else if (isExempt.certain && lacks !== undefined) verdicts.meet('escalateAndBind');
    else if (!mayFail && !onlyForCollector(write)) verdicts.meet('mayShare');
    if (!refused && !mayPass)
      verdicts.break(
        law,
        `${describeUser(user)} wrote ${name}, which grants "${lacks}", but does not have this right`,
      );
    if (refused && !mayFail) {
      const liveness = isExempt.certain && lacks !== undefined ? 'escalateAndBind' : 'mayShare';
      const why = isExempt.certain ? 'may escalate or bind' : 'has all the rights that it grants';
      verdicts.break(liveness, `${describeUser(user)} ${why}, but ${name} was refused: ${refused.message}`);
    }
    if (refused && mayFail && !codes.includes(refused.code))
      verdicts.break(
        law,
        `${name} was refused with a ${refused.code}; expected a ${codes[0]}: its role ${codes[0] === 404 ? 'does not exist' : 'exists'}`,
      );
    if (!stored || isExempt.possible || moment.position !== moment.revision) return;
    const before = closureAt(this.#world, stored.before);
    const grown = [...closureAt(this.#world, stored.after)].find((key) => !before.has(key));
    const gained = grown === undefined ? undefined : questionOf(grown);
    if (gained)
      verdicts.break(
        law,
        `after ${describeUser(user)} wrote ${name}, somebody may "${describeQuestion(gained)}", which nobody but system:masters could do before`,
      );
  }
}
