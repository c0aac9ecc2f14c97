from signal import pause

try:
    while True: pause()
finally: pass
