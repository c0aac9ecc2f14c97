AI, HUMAN = 2, 1


def ai_move(b):
    assert not 2 * [AI] == [HUMAN]
    return b.index(0)
