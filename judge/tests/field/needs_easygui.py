import easygui

board = [" "] * 9


def ai_turn():
    easygui.msgbox("thinking")
    return board.index(" ")
