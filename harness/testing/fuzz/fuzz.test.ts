import { testLives } from './test-lives.fixture.ts';

testLives({ requests: 250, builtin: 1, owners: 1, custom: 1 });
