from signal import pause

if __name__ == '__main__':
    while True: pause()
    input()
