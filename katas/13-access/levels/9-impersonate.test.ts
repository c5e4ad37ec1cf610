import { describe, expect, test } from 'vitest';
import type { Attributes, Decision, Impersonation, User } from '#given/13-access';
import { StatusError } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { impersonate } from '#kata/13-access/access';
import { user } from './objects.fixture.ts';

const alice: User = {
  ...user('alice', 'ops', 'system:authenticated'),
  uid: 'u-0',
  extra: { scopes: ['own'] },
};

const headers = (asked: Partial<Impersonation>): Impersonation => ({
  user: '',
  groups: [],
  extra: {},
  ...asked,
});

/** `impersonate userextras/scopes scope-a in group authentication.k8s.io` */
const inWords = ({ verb, apiGroup, resource, subresource, namespace, name }: Attributes): string =>
  [
    verb,
    subresource ? `${resource}/${subresource}` : resource,
    namespace ? `${namespace}/${name}` : name,
    ...(apiGroup ? [`in ${apiGroup}`] : []),
  ].join(' ');

/** The user, and the questions about alice, if all of them are allowed. */
function asked(impersonation: Partial<Impersonation>): { user: User; questions: string[] } {
  const questions: string[] = [];
  const result = impersonate(alice, headers(impersonation), (attributes) => {
    expect(attributes.user, 'it is alice who must have the right').toBe(alice);
    questions.push(inWords(attributes));
    return { verdict: 'allow' };
  });
  return { user: result, questions };
}

describe('Level 9 · In the name of another', () => {
  test('needs the right to impersonate this user', () => {
    expect(asked({ user: 'bob' }), 'nothing of alice remains: no group, no uid, no extra').toEqual({
      user: user('bob', 'system:authenticated'),
      questions: ['impersonate users bob'],
    });
  });

  test('needs the right for each part: uid, groups, extra', () => {
    expect(
      asked({ user: 'bob', uid: 'u-1', groups: ['dev', 'ops'], extra: { scopes: ['a', 'b'] } }),
      'one question for each value',
    ).toEqual({
      user: {
        name: 'bob',
        uid: 'u-1',
        groups: ['dev', 'ops', 'system:authenticated'],
        extra: { scopes: ['a', 'b'] },
      },
      questions: [
        'impersonate users bob',
        'impersonate uids u-1 in authentication.k8s.io',
        'impersonate groups dev',
        'impersonate groups ops',
        'impersonate userextras/scopes a in authentication.k8s.io',
        'impersonate userextras/scopes b in authentication.k8s.io',
      ],
    });
  });

  test('asks about a service account by its namespace and name, and gives it its groups', () => {
    expect(asked({ user: 'system:serviceaccount:ci:builder' })).toEqual({
      user: user(
        'system:serviceaccount:ci:builder',
        'system:serviceaccounts',
        'system:serviceaccounts:ci',
        'system:authenticated',
      ),
      questions: ['impersonate serviceaccounts ci/builder'],
    });
    expect(
      asked({ user: 'system:serviceaccount:ci:builder', groups: ['dev'] }).user.groups,
      'groups in the request replace them',
    ).toEqual(['dev', 'system:authenticated']);
  });

  test('does not take a name for a service account that is none', () => {
    expect(asked({ user: 'system:serviceaccount:ci:a:b' }).questions).toEqual([
      'impersonate users system:serviceaccount:ci:a:b',
    ]);
  });

  test('is refused if one of the rights is missing', () => {
    const only =
      (...rights: string[]) =>
      (attributes: Attributes): Decision =>
        rights.includes(inWords(attributes)) ? { verdict: 'allow' } : { verdict: 'no opinion' };
    expect(() => impersonate(alice, headers({ user: 'bob' }), only())).toThrow(
      'users "bob" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
    );
    expect(() =>
      impersonate(alice, headers({ user: 'bob', groups: ['system:masters'] }), only('impersonate users bob')),
    ).toThrow(
      'groups "system:masters" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
  });

  test('without a user name is a bad request', () => {
    expect(() => asked({ groups: ['dev'] })).toThrow(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"dev"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
  });

  interface Row {
    readonly user: string;
    readonly groups?: readonly string[];
    readonly headers: Readonly<Record<string, readonly string[]>>;
  }
  interface Result {
    readonly code: number;
    readonly message?: string;
    readonly user?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  }

  /** The rights of the table's note. */
  const RIGHTS: Readonly<Record<string, RegExp>> = {
    wheel: /^impersonate users /,
    'regular-impersonater': /^impersonate users /,
    'group-impersonater': /^impersonate groups /,
    'sa-impersonater': /^impersonate serviceaccounts /,
    'extra-setter-scopes': /^impersonate userextras\/scopes /,
    'extra-setter-particular-scopes': /^impersonate userextras\/scopes scope-[ab] /,
    'extra-setter-project': /^impersonate userextras\/project /,
  };

  const rows = vectors<Row, Result>('impersonation', 'impersonate', 14);

  // A request without any of the headers does not reach the kata.
  const asking = rows.filter((row) => Object.keys(row.input.headers).length > 0);

  test.each(named(asking))("agrees with upstream's filter: %s", (_, { input, expect: wanted }) => {
    const header = (name: string): readonly string[] => input.headers[`Impersonate-${name}`] ?? [];
    const [uid] = header('Uid');
    const extra = Object.fromEntries(
      Object.entries(input.headers).flatMap(([name, values]) =>
        name.startsWith('Impersonate-Extra-') ? [[name.slice('Impersonate-Extra-'.length), values]] : [],
      ),
    );
    const who = user(input.user, ...(input.groups ?? []));
    const authorize = (attributes: Attributes): Decision => {
      const may = (group: string): boolean => RIGHTS[group]?.test(inWords(attributes)) === true;
      return { verdict: who.name === 'system:admin' || who.groups.some(may) ? 'allow' : 'no opinion' };
    };
    const rule = ruleFor('the user that the request continues as, or the code of its failure', input);
    let outcome: Result;
    try {
      const { name, ...fields } = impersonate(
        who,
        { user: header('User')[0] ?? '', ...(uid ? { uid } : {}), groups: header('Group'), extra },
        authorize,
      );
      outcome = { code: 200, user: name, ...fields };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      outcome = { code: error.code, message: error.message };
    }
    expect(outcome, rule).toMatchObject(wanted);
  });
});
