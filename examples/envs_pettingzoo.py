"""A game of Celtica for four in PettingZoo, played at random, with the table drawn at the end."""

from __future__ import annotations

from drunemeton.envs import celtica_v0


def main() -> dict[str, float]:
    """Play; answers what each agent got."""
    env = celtica_v0.env(seats=4, render_mode="ansi")
    env.reset(seed=7)
    rewards = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(env.render())
    return rewards


if __name__ == "__main__":
    print(main())
