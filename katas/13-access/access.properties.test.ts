import { describe, expect, test } from 'vitest';
import { components } from '#components';
import { roleBindings, roles } from '#given/13-access';
import { deployments, pods } from '#harness';
import { createCluster, holds, remembering } from '#harness/testing';
import { clusterRoleAggregationController, newAccess } from '#kata/13-access/access';
import {
  type AccessScenario,
  type AggregationScenario,
  accessLaws,
  aggregationLaws,
  aggregationWorkloads,
  credentialWorkloads,
  escalationWorkloads,
  impersonationWorkloads,
  nodeWorkloads,
  roleWorkloads,
  runAccess,
  runAggregation,
} from '#laws/13-access';

/** Runs each scenario once for all laws. The laws know only `newAccess`. */
const live = remembering((scenario: AccessScenario) => runAccess(newAccess, scenario));

/** The aggregation controller with the references of the parts that it uses. */
const aggregate = remembering((scenario: AggregationScenario) =>
  runAggregation(clusterRoleAggregationController, components, scenario),
);

// Causes come before effects: who sends a request, before what this user may do.
describe('The laws of identity', () => {
  test('Right user: the user of a request is exactly the user of its credentials', () =>
    holds(accessLaws.rightUser, credentialWorkloads, live));

  test('Never anonymous: invalid credentials are rejected, and only requests without credentials are anonymous', () =>
    holds(accessLaws.neverAnonymous, credentialWorkloads, live));

  test('Outlives nothing: a token is rejected when its account, its object or its time has ended', () =>
    holds(accessLaws.outlivesNothing, credentialWorkloads, live));

  test('Works until then: a token is accepted until its end, also if the cache lacks its account or object', () =>
    holds(accessLaws.worksUntilThen, credentialWorkloads, live));

  test('Right audience: a token is accepted only for its audiences', () =>
    holds(accessLaws.rightAudience, credentialWorkloads, live));
});

describe('The laws of rights', () => {
  test('Sound: a request is allowed only if a rule allows it', () =>
    holds(accessLaws.sound, roleWorkloads, live));

  test('Complete: a request is allowed if a rule allows it', () =>
    holds(accessLaws.complete, roleWorkloads, live));

  test('Prompt: a change of a role or a binding counts from the next request whose cache has it', () =>
    holds(accessLaws.prompt, roleWorkloads, live));

  test('Missing roles: a binding to a missing role grants nothing, and disturbs no other binding', () =>
    holds(accessLaws.missingRoles, roleWorkloads, live));

  test('Any order: the order of bindings, subjects and rules does not matter', () =>
    holds(accessLaws.anyOrder, roleWorkloads, live));

  test('Masters: system:masters may do everything', () => holds(accessLaws.masters, roleWorkloads, live));

  test('Silent: an answer does not depend on whether the object exists', () =>
    holds(accessLaws.silent, roleWorkloads, live));

  test('Lists rules: the list of rules of a user agrees with the answers to its requests', () =>
    holds(accessLaws.listsRules, roleWorkloads, live));
});

describe('The laws of grants', () => {
  test('No escalation: no write grants rights that its writer does not have', () =>
    holds(accessLaws.noEscalation, escalationWorkloads, live));

  test('May share: a user may grant the rights that the user has', () =>
    holds(accessLaws.mayShare, escalationWorkloads, live));

  test('Escalate and bind: a user with these verbs may grant more', () =>
    holds(accessLaws.escalateAndBind, escalationWorkloads, live));
});

describe("The laws of another's name", () => {
  test('No impersonation: nobody acts as another without the right to each part of that identity', () =>
    holds(accessLaws.noImpersonation, impersonationWorkloads, live));

  test('Acts as: a user with these rights acts exactly as the named user', () =>
    holds(accessLaws.actsAs, impersonationWorkloads, live));
});

describe('★ The laws of nodes (Level 10)', () => {
  test('Nodes read: a node may read what its pods need', () =>
    holds(accessLaws.nodesRead, nodeWorkloads, live));

  test('Nodes only: a node may do nothing else', () => holds(accessLaws.nodesOnly, nodeWorkloads, live));
});

describe('★ The laws of aggregation (Level 11)', () => {
  test('Aggregated: in the end the rules of an aggregate are those of the roles that it selects', () =>
    holds(aggregationLaws.aggregated, aggregationWorkloads, aggregate));

  test('Writes only rules: the controller writes nothing but the rules of aggregates', () =>
    holds(aggregationLaws.writesOnlyRules, aggregationWorkloads, aggregate));
});

describe('In a cluster', () => {
  test('End to end: controllers live on their own rights, and users share no more than they have', async () => {
    await using cluster = await createCluster({
      seed: 13,
      components,
      access: newAccess,
      postStartHooks: true,
    });
    const { admin } = cluster;
    const {
      clusterRoleAggregationController: aggregation,
      deploymentController,
      replicaSetController,
    } = components;
    cluster.run('clusterrole-aggregation-controller', aggregation);
    cluster.run('deployment-controller', deploymentController);
    cluster.run('replicaset-controller', replicaSetController);
    const labels = { app: 'web' };
    const namespace = 'default';
    await admin.create(deployments, {
      metadata: { namespace, name: 'web' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
    } as never);
    await cluster.runFor(30_000);
    expect(cluster.storage.list(pods), 'pods that controllers with their own roles created').toHaveLength(3);

    const user = (name: string) => cluster.replica().server.as({ name, groups: ['system:authenticated'] });
    const [jane, bob] = [user('jane'), user('bob')];
    const bind = (name: string, role: string, to: string) => ({
      metadata: { namespace, name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: to }],
    });
    await expect(jane.list(pods, { namespace })).rejects.toThrow(
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
    );
    await admin.create(roleBindings, bind('janes', 'admin', 'jane'));
    expect((await jane.list(pods, { namespace })).items, 'pods that jane sees as an admin').toHaveLength(3);
    await expect(jane.list(pods)).rejects.toThrow(
      'cannot list resource "pods" in API group "" at the cluster scope',
    );
    const strong = { verbs: ['get'], apiGroups: [''], resources: ['nodes'] };
    await expect(
      jane.create(roles, { metadata: { namespace, name: 'strong' }, rules: [strong] }),
    ).rejects.toThrow('is attempting to grant RBAC permissions not currently held');
    await expect(jane.create(roleBindings, bind('more', 'cluster-admin', 'jane'))).rejects.toThrow(
      'not currently held',
    );
    await jane.create(roleBindings, bind('bobs', 'view', 'bob'));
    expect(
      (await bob.list(pods, { namespace })).items,
      'pods that bob sees by the grant of jane',
    ).toHaveLength(3);
    await expect(bob.delete(pods, { namespace, name: 'web' })).rejects.toThrow(
      'cannot delete resource "pods"',
    );
    await admin.delete(roleBindings, { namespace, name: 'bobs' });
    await expect(bob.list(pods, { namespace })).rejects.toThrow('User "bob" cannot list resource "pods"');
  });
});
