import { testLives } from './test-lives.fixture.ts';

testLives({ builtin: 2, owners: 1, custom: 1 });
